package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// agent is what the requests say they are. The page of a tree counts no robots, so
// it is a browser's name; what it is for stands behind it.
const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"

// mostAnswer bounds what is read of one answer.
const mostAnswer = 8 << 20

// errLimited is what is left of a verification whose patience with rate limits ended.
var errLimited = errors.New("the rate limit of this machine's address is used up: try again in a minute")

// wire is one way to the service: through the edge, or past it.
type wire struct {
	client *http.Client
	base   string // the address without a path
	host   string // the Host that is asked for
	origin string // the Origin of the endpoint's own pages

	mu       sync.Mutex
	patience time.Duration
	all      []answer // in the order in which they came
	refused  *answer  // the last 429
}

func newWire(o Options, base string) *wire {
	public, _ := url.Parse(o.URL)
	dialer := &net.Dialer{Timeout: o.Timeout, Resolver: o.resolver()}
	if o.From != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(o.From)}
	}
	return &wire{
		client: &http.Client{
			Timeout:       o.Timeout,
			Transport:     &http.Transport{DialContext: dialer.DialContext, DisableCompression: true, ForceAttemptHTTP2: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		base: base, host: public.Host, origin: public.Scheme + "://" + public.Host, patience: o.Patience,
	}
}

// request is one question. The zero value is a GET without anything.
type request struct {
	method, path, body string
	headers            map[string]string // an empty value leaves a header out
	cookie             string
	impatient          bool // a 429 is an answer too
}

// post is a request as a page of the site's own sends it.
func post(path, body string) request {
	return request{method: http.MethodPost, path: path, body: body}
}

func get(path string) request { return request{method: http.MethodGet, path: path} }

func (r request) with(name, value string) request {
	headers := map[string]string{name: value}
	for n, v := range r.headers {
		if n != name {
			headers[n] = v
		}
	}
	r.headers = headers
	return r
}

func (r request) as(cookie string) request {
	r.cookie = cookie
	return r
}

// ask sends the request, and again while a rate limit asks to wait and there is
// patience left.
func (w *wire) ask(ctx context.Context, r request) (answer, error) {
	for {
		a, err := w.once(ctx, r)
		if err != nil || a.status != http.StatusTooManyRequests || r.impatient {
			return a, err
		}
		if err := w.wait(ctx, a); err != nil {
			return a, err
		}
	}
}

// wait takes what a 429 asks for from the patience that is left.
func (w *wire) wait(ctx context.Context, a answer) error {
	seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
	pause := time.Duration(max(seconds, 1)) * time.Second
	w.mu.Lock()
	w.patience -= pause
	spent := w.patience < 0
	w.mu.Unlock()
	if err != nil || spent {
		return errLimited
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("wait for the rate limit: %w", ctx.Err())
	case <-time.After(pause):
		return nil
	}
}

func (w *wire) once(ctx context.Context, r request) (answer, error) {
	a := answer{asked: r.method + " " + r.path}
	trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { a.address = c.Conn.RemoteAddr().String() }}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), r.method, w.base+r.path, strings.NewReader(r.body))
	if err != nil {
		return a, fmt.Errorf("make a request: %w", err)
	}
	w.dress(req, r)
	resp, err := w.client.Do(req)
	if err != nil {
		return a, fmt.Errorf("%s: %w", a.asked, unaddressed(err))
	}
	defer func() { _ = resp.Body.Close() }()
	a.status, a.header = resp.StatusCode, resp.Header
	if a.body, err = io.ReadAll(io.LimitReader(resp.Body, mostAnswer)); err != nil {
		return a, fmt.Errorf("read the answer to %s: %w", a.asked, err)
	}
	w.note(a)
	return a, nil
}

func (w *wire) dress(req *http.Request, r request) {
	req.Host = w.host
	req.Header.Set("User-Agent", agent)
	if r.method == http.MethodPost {
		req.Header.Set("Origin", w.origin)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		req.Header.Set("Content-Type", "text/plain;charset=UTF-8")
	}
	for name, value := range r.headers {
		if req.Header.Del(name); value != "" {
			req.Header.Set(name, value)
		}
	}
	if r.cookie != "" {
		req.Header.Set("Cookie", r.cookie)
	}
}

func (w *wire) note(a answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, a)
	if a.status == http.StatusTooManyRequests {
		w.refused = &a
	}
}

// answers are all that came so far.
func (w *wire) answers() []answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]answer(nil), w.all...)
}

func (w *wire) close() { w.client.CloseIdleConnections() }

// unaddressed is the cause of a failed request without its URL, which is told anyway.
func unaddressed(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

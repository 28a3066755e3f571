package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// exchange is one request and its answer. Its copies are the same to the octet,
// unless one has to wait: a later attempt says when it was really sent.
type exchange struct {
	p      *player
	script *script
	step   step
	sent   time.Time
	cookie string
}

// inTurn sends the same twice, one after the other.
func (x exchange) inTurn(ctx context.Context, j *jar) error {
	for range 2 {
		a, err := x.once(ctx)
		if err != nil {
			return err
		}
		if x.step.mishap != blind {
			j.keep(a)
			x.cookie = j.value
		}
	}
	return nil
}

// atOnce sends the same twice, side by side.
func (x exchange) atOnce(ctx context.Context, j *jar) error {
	answers := make([]answer, 2)
	group, ctx := errgroup.WithContext(ctx)
	for i := range answers {
		group.Go(func() (err error) {
			answers[i], err = x.once(ctx)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("two at once: %w", err)
	}
	j.keep(answers[0])
	j.keep(answers[1])
	return nil
}

// hangUp writes the request and drops the connection. Whether the service
// handled it is open, and must not matter.
func (x exchange) hangUp(ctx context.Context) error {
	cut, cancel := context.WithCancel(ctx)
	defer cancel()
	written := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { cancel() }}
	req, err := x.request(httptrace.WithClientTrace(cut, written), x.sent)
	if err != nil {
		return err
	}
	resp, err := x.p.client.Do(req)
	if err == nil {
		_ = resp.Body.Close()
	}
	x.p.tally.request("POST "+string(x.step.to), "hung up", 0)
	return stopped(ctx)
}

// once sends the request, waits while the service is busy, and judges the answer.
func (x exchange) once(ctx context.Context) (answer, error) {
	sent := x.sent
	ask := func() (*http.Request, error) {
		req, err := x.request(ctx, sent)
		sent = time.Time{}
		return req, err
	}
	to := "POST " + string(x.step.to)
	resp, err := patiently(ctx, x.p.client, x.p.o.Patience, ask, func(status string, again bool) { //nolint:bodyclose // x.read closes it
		x.p.tally.request(to, status, x.carried(again))
		if again {
			x.p.tally.wait(status)
		}
	})
	if err != nil {
		return answer{}, err
	}
	a, err := x.read(resp)
	if err != nil {
		return a, err
	}
	x.judge(a)
	return a, nil
}

func (x exchange) carried(again bool) int {
	if again {
		return 0
	}
	return len(x.step.events)
}

func (x exchange) request(ctx context.Context, sent time.Time) (*http.Request, error) {
	if sent.IsZero() {
		sent = time.Now()
	}
	body, err := x.script.body(x.step, x.p.plan.address(x.step.person), sent)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.p.o.URL+string(x.step.to), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	d := x.script.device
	req.Header.Set("Origin", x.p.origin)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	req.Header.Set("User-Agent", printable(d.agent))
	if len(body) > 0 {
		req.Header.Set("Content-Type", []string{"text/plain;charset=UTF-8", "application/json"}[d.number%2])
	}
	if x.p.o.ForwardedFor {
		req.Header.Set("X-Forwarded-For", printable(d.addr))
	}
	if x.cookie != "" {
		req.Header.Set("Cookie", x.p.o.CookieName+"="+x.cookie)
	}
	return req, nil
}

// printable leaves out what no header may hold.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
}

func (x exchange) read(resp *http.Response) (answer, error) {
	defer func() { _ = resp.Body.Close() }()
	n, err := io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
	if err != nil && !errors.Is(err, io.EOF) {
		return answer{}, fmt.Errorf("read the answer: %w", err)
	}
	a := answer{status: resp.StatusCode, body: int(n)}
	a.noStore = strings.Contains(resp.Header.Get("Cache-Control"), "no-store")
	for _, c := range resp.Cookies() {
		if c.Name == x.p.o.CookieName {
			a.cookie = c
		}
	}
	return a, nil
}

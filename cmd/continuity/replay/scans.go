package replay

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// scanAgent is the telephone that every visitor of a replay has.
const scanAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
	"Version/18.1 Mobile/15E148 Safari/604.1"

// RunScans plays the rows of a log as scans of trees by visitors with cookies, and
// compares every tree's numbers with what the rows say. A path is always at the same
// tree. Visitors run side by side, and each one's scans in order. It makes the trees
// first, under names of the seed, and fails on the same as Run.
//
// The service counts by its own clock, so that everything happens today: what
// depends on days is not compared.
func RunScans(ctx context.Context, o Options) (ScanReport, error) {
	start := time.Now()
	o, err := o.complete()
	if err == nil && o.AdminURL == "" {
		err = errors.New("admin url: scans need it, to make the trees")
	}
	if err != nil {
		return ScanReport{}, err
	}
	rows, err := readVisits(o.Log, o.Stdin)
	if err != nil {
		return ScanReport{}, err
	}
	if o.Limit > 0 && o.Limit < len(rows) {
		rows = rows[:o.Limit]
	}
	p := &scanPlayer{o: o, client: newClient(o.Concurrency), trees: max(o.Trees, 1)}
	defer p.client.CloseIdleConnections()
	report, err := p.perform(ctx, rows)
	report.Seconds = since(start)
	return report, err
}

type scanPlayer struct {
	o      Options
	client *http.Client
	trees  int
	done   func(int)

	mu     sync.Mutex
	report ScanReport
}

func (p *scanPlayer) perform(ctx context.Context, rows []visit) (ScanReport, error) {
	p.report = newScanReport(rows, p.o.Seed)
	for i := range p.trees {
		if err := p.plant(ctx, p.tree(i)); err != nil {
			return p.report, err
		}
	}
	byVisitor, expected := map[string][]visit{}, map[string]*expectedScans{}
	for _, row := range rows {
		byVisitor[row.visitor] = append(byVisitor[row.visitor], row)
		p.expect(expected, row)
	}
	var finish func()
	p.done, finish = progress(p.o, len(rows), "scanning")
	group, playing := errgroup.WithContext(ctx)
	group.SetLimit(p.o.Concurrency)
	for visitor, all := range byVisitor {
		group.Go(func() error { return p.play(playing, visitor, all) })
	}
	err := group.Wait()
	finish()
	if err != nil {
		return p.report, fmt.Errorf("play: %w", err)
	}
	return p.report, p.compare(ctx, expected)
}

// expectedScans is what a tree should count.
type expectedScans struct {
	total    int
	visitors map[string]int
}

func (p *scanPlayer) expect(expected map[string]*expectedScans, row visit) {
	tree := p.treeOf(row.path)
	if expected[tree] == nil {
		expected[tree] = &expectedScans{visitors: map[string]int{}}
	}
	expected[tree].total++
	expected[tree].visitors[row.visitor]++
}

func (e expectedScans) numbers() treeNumbers {
	n := treeNumbers{Total: e.total, Unique: len(e.visitors), Repeated: e.total - len(e.visitors), New: len(e.visitors), AllRows: e.total}
	for _, times := range e.visitors {
		if times > 1 {
			n.Returning++
		}
	}
	return n
}

func (p *scanPlayer) tree(i int) string { return fmt.Sprintf("replay-%d-%d", p.o.Seed, i) }

func (p *scanPlayer) treeOf(path string) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(path)) // never fails
	return p.tree(int(hash.Sum32() % uint32(p.trees)))
}

// play is one visitor, with a cookie from the first scan on.
func (p *scanPlayer) play(ctx context.Context, visitor string, rows []visit) error {
	cookie, been := "", map[string]bool{}
	for _, row := range rows {
		tree := p.treeOf(row.path)
		page, set, err := p.scan(ctx, tree, cookie)
		if err != nil {
			return err
		}
		p.judge(visitor, tree, page, cookie, set, been[tree])
		cookie, been[tree] = cmp.Or(set, cookie), true
		p.done(1)
	}
	return nil
}

// scan asks for a tree's page in English, and tells what the visitor's cookie is set to.
func (p *scanPlayer) scan(ctx context.Context, tree, cookie string) (page, set string, err error) {
	response, err := p.ask(ctx, func() (*http.Request, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.o.URL+"/t/"+tree, http.NoBody)
		if err != nil {
			return nil, fmt.Errorf("make a request: %w", err)
		}
		request.Header.Set("User-Agent", scanAgent)
		request.Header.Set("Accept-Language", "en")
		if cookie != "" {
			request.Header.Set("Cookie", "visitor_id="+cookie)
		}
		return request, nil
	})
	if err != nil {
		return "", "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", "", fmt.Errorf("read a page: %w", err)
	}
	for _, c := range response.Cookies() {
		if c.Name == "visitor_id" {
			set = c.Value
		}
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Sprintf("status %d", response.StatusCode), set, nil
	}
	return string(body), set, nil
}

func (p *scanPlayer) judge(visitor, tree, page, sent, set string, been bool) {
	greeting := "first visit"
	if been {
		greeting = "Welcome back"
	}
	switch {
	case !strings.Contains(page, greeting):
		p.differ("visitor %s at %s: the page does not say %q", visitor, tree, greeting)
	case set == "" || sent != "" && set != sent:
		p.differ("visitor %s at %s: the cookie is not issued again", visitor, tree)
	}
}

func (p *scanPlayer) plant(ctx context.Context, tree string) error {
	body, err := json.Marshal(map[string]string{"id": tree, "name": "Tree of a replay"})
	if err != nil {
		return fmt.Errorf("write a tree: %w", err)
	}
	status, err := p.private(ctx, http.MethodPost, "/v1/trees", body, nil)
	switch {
	case err != nil:
		return err
	case status == http.StatusConflict:
		return fmt.Errorf("seed %d was played against this service before: take another", p.o.Seed)
	case status != http.StatusCreated:
		return fmt.Errorf("make a tree: status %d", status)
	}
	return nil
}

func (p *scanPlayer) compare(ctx context.Context, expected map[string]*expectedScans) error {
	for tree, should := range expected {
		var is treeNumbers
		status, err := p.private(ctx, http.MethodGet, "/v1/trees/"+tree+"/metrics", nil, &is)
		if err != nil {
			return err
		}
		if want := should.numbers(); status != http.StatusOK || is != want {
			p.differ("%s: counted %+v, not %+v", tree, is, want)
		}
		p.report.Counted.add(is)
	}
	p.report.Compared = true
	return nil
}

func (p *scanPlayer) private(ctx context.Context, method, path string, body []byte, into any) (int, error) {
	response, err := p.ask(ctx, func() (*http.Request, error) {
		request, err := http.NewRequestWithContext(ctx, method, p.o.AdminURL+path, bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("make a request: %w", err)
		}
		request.Header.Set("Authorization", "Bearer "+p.o.Token)
		return request, nil
	})
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	if into != nil && response.StatusCode == http.StatusOK {
		if err := json.NewDecoder(response.Body).Decode(into); err != nil {
			return 0, fmt.Errorf("read an answer: %w", err)
		}
	}
	return response.StatusCode, nil
}

func (p *scanPlayer) ask(ctx context.Context, asking func() (*http.Request, error)) (*http.Response, error) {
	return patiently(ctx, p.client, p.o.Patience, asking, func(string, bool) {})
}

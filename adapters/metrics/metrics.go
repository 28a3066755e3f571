// Package metrics keeps what Prometheus asks a node for. The other adapters tell it
// what happened through plain functions and know nothing of Prometheus.
//
// Decisions taken here:
//
//   - A label has as many values as the code names: routes are templates, a path that
//     no route matches has none, methods and statuses are those of HTTP. What somebody
//     sends never becomes a label.
//   - Numbers of a database that several nodes share are counted where they come
//     about, by the node that wrote them: the sum over nodes is the whole.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const namespace = "continuity"

// Metrics are those of one node.
type Metrics struct {
	registry   *prometheus.Registry
	requests   *prometheus.CounterVec
	seconds    *prometheus.HistogramVec
	refusals   *prometheus.CounterVec
	limits     *prometheus.CounterVec
	skipped    prometheus.Counter
	batch      prometheus.Histogram
	commit     prometheus.Histogram
	pruned     prometheus.Counter
	candidates prometheus.Counter
	shared     prometheus.Counter
}

// New are metrics that nothing has been told to yet.
func New() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counters("requests_total", "Requests that were answered.", "interface", "route", "method", "status"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "request_seconds", Help: "How long an answer took.", Buckets: times,
		}, []string{"interface", "route"}),
		refusals:   counters("refusals_total", "Requests that were refused, by the code of the error.", "interface", "code"),
		limits:     counters("limited_total", "What went beyond a limit: key, ip, new or events.", "limit"),
		skipped:    counter("skipped_events_total", "Events that could not be used, of requests that were."),
		batch:      histogram("batch_requests", "Requests that one transaction wrote.", prometheus.ExponentialBuckets(1, 2, 10)),
		commit:     histogram("commit_seconds", "How long one transaction took, its repeats included.", times),
		pruned:     counter("pruned_total", "Expired devices and handoffs that were deleted."),
		candidates: counter("candidates_total", "Pairs of people that met on one device."),
		shared:     counter("shared_anchors_total", "Devices that turned out to be shared."),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.refusals, m.limits, m.skipped, m.batch, m.commit, m.pruned, m.candidates,
		m.shared, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

var times = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
}

func histogram(name, help string, buckets []float64) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
}

// Gauge shows a number whenever somebody asks.
func (m *Metrics) Gauge(name, help string, now func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, now))
}

// Handler answers what Prometheus asks.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Request is one that was answered on one of the two interfaces.
type Request struct {
	Interface, Route, Method string
	Status                   int
	Took                     time.Duration
	Refusal, Limit           string // empty for none
	Skipped                  int
}

// Answered counts a request.
func (m *Metrics) Answered(r Request) {
	m.requests.WithLabelValues(r.Interface, r.Route, r.Method, strconv.Itoa(r.Status)).Inc()
	m.seconds.WithLabelValues(r.Interface, r.Route).Observe(r.Took.Seconds())
	if r.Refusal != "" {
		m.refusals.WithLabelValues(r.Interface, r.Refusal).Inc()
	}
	if r.Limit != "" {
		m.limits.WithLabelValues(r.Limit).Inc()
	}
	m.skipped.Add(float64(r.Skipped))
}

// Committed counts what one transaction wrote.
func (m *Metrics) Committed(requests int, took time.Duration, pruned, candidates, shared int) {
	m.batch.Observe(float64(requests))
	m.commit.Observe(took.Seconds())
	m.pruned.Add(float64(pruned))
	m.candidates.Add(float64(candidates))
	m.shared.Add(float64(shared))
}

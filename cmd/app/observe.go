package app

import (
	"continuity/adapters/bunstore"
	"continuity/adapters/httpapi"
	"continuity/adapters/metrics"
)

// answered tells the metrics of the requests of one interface.
func (a *App) answered(of string) func(httpapi.Exchange) {
	return func(x httpapi.Exchange) {
		a.metrics.Answered(metrics.Request{
			Interface: of, Route: x.Route, Method: x.Method, Status: x.Status, Took: x.Took,
			Refusal: string(x.Refusal), Limit: x.Limit, Skipped: x.Skipped,
		})
	}
}

// gauges are what is looked at when somebody asks.
func (a *App) gauges() {
	a.metrics.Gauge("queue_requests", "Requests that wait to be written.", func() float64 { return float64(a.db.Waiting()) })
	a.metrics.Gauge("rate_store_away", "1 while the store for rates is away and each node limits by itself.", func() float64 {
		if a.rates != nil && a.rates.Away() {
			return 1
		}
		return 0
	})
}

func committed(m *metrics.Metrics) func(bunstore.Commit) {
	return func(c bunstore.Commit) { m.Committed(c.Requests, c.Took, c.Pruned, c.Candidates, c.Shared) }
}

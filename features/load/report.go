package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"
)

// report is everything that was measured, as it stands in the JSON.
type report struct {
	At       time.Time `json:"at"`
	Machine  machine   `json:"machine"`
	Settings measure   `json:"settings"`
	Runs     []run     `json:"runs"`
	Ratios   []ratio   `json:"ratios"`
	Size     *size     `json:"size,omitempty"`
	Journey  *reading  `json:"journey,omitempty"`
}

// ratio is a figure as a multiple of another's, over the rounds.
type ratio struct {
	Stage string `json:"stage"`
	Load  string `json:"load"`
	Of    string `json:"of"`
	spread
}

type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// size is what a database takes after it was filled.
type size struct {
	Events        int64   `json:"events"`
	MiB           float64 `json:"mib"`
	BytesPerEvent float64 `json:"bytes_per_event"` // what the filling added
}

// reading tells how long a whole journey takes to read, in milliseconds.
type reading struct {
	Events  int     `json:"events"`
	Devices int     `json:"devices"`
	Median  float64 `json:"median_ms"`
	Min     float64 `json:"min_ms"`
	Max     float64 `json:"max_ms"`
}

func spreadOf(values []float64) spread {
	slices.Sort(values)
	return spread{Median: values[len(values)/2], Min: values[0], Max: values[len(values)-1]}
}

// comparisons are the ratios that are told, wherever both sides ran.
var comparisons = []struct {
	name, over string
	figure     func(run) float64
}{
	{"beacons/s ÷ floor", asFloor, func(r run) float64 { return r.PerSecond }},
	{"p99 ÷ floor's", asFloor, func(r run) float64 { return r.P99 }},
	{"cpu a request ÷ floor's", asFloor, func(r run) float64 { return r.CPU }},
	{"beacons/s ÷ one transaction each", asDirect, func(r run) float64 { return r.PerSecond }},
	{"beacons/s ÷ raw inserts", asRaw, func(r run) float64 { return r.PerSecond }},
}

// compare fills the ratios: each within one round, and at size also to the same round on the empty database.
func (r *report) compare() {
	type key struct {
		stage, contestant string
		load              load
		round             int
	}
	runs := map[key]run{}
	for _, one := range r.Runs {
		runs[key{one.Stage, one.Contestant, one.Load, one.Round}] = one
	}
	found := map[[3]string][]float64{}
	var order [][3]string
	note := func(stage string, l load, of string, above, below float64) {
		if below == 0 {
			return
		}
		place := [3]string{stage, l.String(), of}
		if found[place] == nil {
			order = append(order, place)
		}
		found[place] = append(found[place], above/below)
	}
	for _, one := range r.Runs {
		before, ok := runs[key{empty, one.Contestant, one.Load, one.Round}]
		if ok && one.Stage != empty && one.Contestant != asFloor {
			note(one.Stage, one.Load, one.Contestant+": beacons/s ÷ empty", one.PerSecond, before.PerSecond)
		}
		if one.Contestant != asService {
			continue
		}
		for _, c := range comparisons {
			if other, ok := runs[key{one.Stage, c.over, one.Load, one.Round}]; ok {
				note(one.Stage, one.Load, c.name, c.figure(one), c.figure(other))
			}
		}
	}
	r.Ratios = nil
	for _, place := range order {
		r.Ratios = append(r.Ratios, ratio{Stage: place[0], Load: place[1], Of: place[2], spread: spreadOf(found[place])})
	}
}

// print tells medians and ratios, each with the smallest and the largest.
func (r *report) print(out io.Writer) {
	r.compare()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nSTAGE\tLOAD\tWHO\tBEACONS/S\tEVENTS/S\tP50 ms\tP99 ms\tP99.9 ms\tCPU µs\tIDLE MiB\tPEAK MiB")
	for _, group := range r.groups() {
		first := group[0]
		fmt.Fprintf(w, "%s\t%s\t%s", first.Stage, first.Load, first.Contestant)
		for _, figure := range figures {
			values := make([]float64, len(group))
			for i, one := range group {
				values[i] = figure(one)
			}
			fmt.Fprintf(w, "\t%s", spreadOf(values))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "\nSTAGE\tLOAD\tRATIO")
	for _, one := range r.Ratios {
		fmt.Fprintf(w, "%s\t%s\t%s\t%.2f (%.2f–%.2f)\n", one.Stage, one.Load, one.Of, one.Median, one.Min, one.Max)
	}
	_ = w.Flush()
	if r.Size != nil {
		fmt.Fprintf(out, "\n%d events, %.0f MiB: %.0f bytes each\n", r.Size.Events, r.Size.MiB, r.Size.BytesPerEvent)
	}
	if r.Journey != nil {
		fmt.Fprintf(out, "a journey of %d events over %d devices: %.1f ms (%.1f–%.1f)\n",
			r.Journey.Events, r.Journey.Devices, r.Journey.Median, r.Journey.Min, r.Journey.Max)
	}
}

var figures = []func(run) float64{
	func(r run) float64 { return r.PerSecond }, func(r run) float64 { return r.Events },
	func(r run) float64 { return r.P50 }, func(r run) float64 { return r.P99 }, func(r run) float64 { return r.P999 },
	func(r run) float64 { return r.CPU }, func(r run) float64 { return r.IdleMiB }, func(r run) float64 { return r.PeakMiB },
}

// String is short for large figures and exact for small ones.
func (s spread) String() string {
	digits := 0
	if s.Max < 100 {
		digits = 1
	}
	return fmt.Sprintf("%.*f (%.*f–%.*f)", digits, s.Median, digits, s.Min, digits, s.Max)
}

// groups are the runs of one contestant under one load, in the order in which they first ran.
func (r *report) groups() (groups [][]run) {
	at := map[[3]string]int{}
	for _, one := range r.Runs {
		place := [3]string{one.Stage, one.Load.String(), one.Contestant}
		if _, ok := at[place]; !ok {
			at[place] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[place]] = append(groups[at[place]], one)
	}
	return groups
}

// save writes name.json, and name.svg when there was an open loop.
func (r *report) save(name string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".json", append(text, '\n'), 0o600); err != nil {
		return err
	}
	fmt.Println(name + ".json")
	drawing := r.plot()
	if drawing == "" {
		return nil
	}
	fmt.Println(name + ".svg")
	return os.WriteFile(name+".svg", []byte(drawing), 0o600)
}

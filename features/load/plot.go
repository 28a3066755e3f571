package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// curve is one line of the plot: a latency over the offered load.
type curve struct {
	name, colour string
	points       [][2]float64 // requests/s and milliseconds, medians over the rounds
}

// The plot's paper, in pixels; its axes are logarithmic.
const (
	paperWidth, paperHeight  = 760.0, 460.0
	left, right, top, bottom = 70.0, 190.0, 30.0, 50.0
)

// plot draws p50, p99 and p99.9 of every open loop, as SVG; it is empty when there was none.
func (r *report) plot() string {
	curves := r.curves()
	if len(curves) == 0 {
		return ""
	}
	minX, maxX, minY, maxY := math.Inf(1), 0.0, math.Inf(1), 0.0
	for _, c := range curves {
		for _, p := range c.points {
			minX, maxX, minY, maxY = min(minX, p[0]), max(maxX, p[0]), min(minY, p[1]), max(maxY, p[1])
		}
	}
	x := scale(minX, maxX, left, paperWidth-right)
	y := scale(minY, maxY, paperHeight-bottom, top)
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="sans-serif" font-size="12">
<rect width="100%%" height="100%%" fill="white"/>
<text x="%.0f" y="18">Latency in ms against offered beacons a second (%s, %d cores)</text>
`, paperWidth, paperHeight, left, r.Settings.Database, r.Machine.Cores)
	grid(&svg, x, y, ticks(curves), minY, maxY)
	for i, c := range curves {
		var line strings.Builder
		for _, p := range c.points {
			fmt.Fprintf(&line, "%.1f,%.1f ", x(p[0]), y(p[1]))
			fmt.Fprintf(&svg, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x(p[0]), y(p[1]), c.colour)
		}
		fmt.Fprintf(&svg, `<polyline points="%s" fill="none" stroke="%s"/>`+"\n", line.String(), c.colour)
		fmt.Fprintf(&svg, `<text x="%.0f" y="%.0f" fill="%s">%s</text>`+"\n", paperWidth-right+15, top+20+float64(i)*18, c.colour, c.name)
	}
	return svg.String() + "</svg>\n"
}

var colours = []string{"#1b9e77", "#d95f02", "#7570b3", "#66a61e", "#e7298a", "#666666", "#a6761d", "#1f78b4", "#b15928", "#333333", "#e6ab02", "#6a3d9a"}

func (r *report) curves() (curves []curve) {
	quantiles := []struct {
		name string
		of   func(run) float64
	}{{"p50", func(r run) float64 { return r.P50 }}, {"p99", func(r run) float64 { return r.P99 }}, {"p99.9", func(r run) float64 { return r.P999 }}}
	for _, q := range quantiles {
		for _, group := range r.groups() {
			first := group[0]
			if first.Load.Rate == 0 {
				continue
			}
			name := first.Contestant + " " + first.Stage + " " + q.name
			values := make([]float64, len(group))
			for i, one := range group {
				values[i] = max(q.of(one), 0.01)
			}
			at := slices.IndexFunc(curves, func(c curve) bool { return c.name == name })
			if at < 0 {
				at = len(curves)
				curves = append(curves, curve{name: name, colour: colours[at%len(colours)]})
			}
			curves[at].points = append(curves[at].points, [2]float64{first.Load.Rate, spreadOf(values).Median})
		}
	}
	return curves
}

// scale maps a range of values to one of pixels, by their logarithms.
func scale(from, to, begin, end float64) func(float64) float64 {
	span := max(math.Log(to)-math.Log(from), 0.1)
	return func(v float64) float64 { return begin + (end-begin)*(math.Log(v)-math.Log(from))/span }
}

func ticks(curves []curve) (rates []float64) {
	for _, p := range curves[0].points {
		rates = append(rates, p[0])
	}
	return rates
}

// grid draws a line for every rate, and for 1, 2 and 5 of every power of ten.
func grid(svg *strings.Builder, x, y func(float64) float64, rates []float64, minY, maxY float64) {
	for _, rate := range rates {
		fmt.Fprintf(svg, `<path d="M%.1f %.0fV%.0f" stroke="#ddd"/><text x="%.1f" y="%.0f" text-anchor="middle">%.0f</text>`+"\n",
			x(rate), top, paperHeight-bottom, x(rate), paperHeight-bottom+18, rate)
	}
	for power := math.Pow(10, math.Floor(math.Log10(minY))); power <= maxY; power *= 10 {
		for _, v := range []float64{power, 2 * power, 5 * power} {
			if v >= minY && v <= maxY {
				fmt.Fprintf(svg, `<path d="M%.0f %.1fH%.0f" stroke="#ddd"/><text x="%.0f" y="%.1f" text-anchor="end">%g</text>`+"\n",
					left, y(v), paperWidth-right, left-6, y(v)+4, v)
			}
		}
	}
}

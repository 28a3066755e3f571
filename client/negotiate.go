package client

import (
	"strconv"
	"strings"
)

// The content codings that are served, the better first.
const (
	brotli   = "br"
	gzipped  = "gzip"
	identity = "identity"
)

// negotiate picks a coding by RFC 9110, 12.5.3: the highest weight wins, the
// smaller file between equals, identity where nothing is said, and nothing
// where even that was forbidden.
func negotiate(headers []string) string {
	weights := weigh(headers)
	best, bestWeight := "", 0.0
	for _, coding := range []string{brotli, gzipped, identity} {
		if q := weightOf(weights, coding); q > bestWeight {
			best, bestWeight = coding, q
		}
	}
	return best
}

// weightOf reads a coding's own weight or that of the star. An identity that
// nobody mentioned is acceptable, but liked least.
func weightOf(weights map[string]float64, coding string) float64 {
	if q, ok := weights[coding]; ok {
		return q
	}
	if q, ok := weights["*"]; ok {
		return q
	}
	if coding == identity {
		return 0.0001
	}
	return 0
}

func weigh(headers []string) map[string]float64 {
	weights := map[string]float64{}
	for element := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		coding, params, _ := strings.Cut(element, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding == "x-gzip" {
			coding = gzipped
		}
		if coding != "" {
			weights[coding] = quality(params)
		}
	}
	return weights
}

// quality is 1 unless a q says otherwise; one that cannot be read is a no.
func quality(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		key, value, _ := strings.Cut(param, "=")
		if !strings.EqualFold(strings.TrimSpace(key), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}

// matches compares weakly, as If-None-Match asks for.
func matches(headers []string, etag string) bool {
	for tag := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == etag || tag == "*" {
			return true
		}
	}
	return false
}

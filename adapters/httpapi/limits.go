package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/domain/scan"
)

// Limiter bounds how often something happens under a name.
type Limiter interface {
	// Take counts n against a name. Where that would be too much it counts nothing, ok
	// is false, and wait tells when it would not be.
	Take(ctx context.Context, name string, n int) (wait time.Duration, ok bool)
}

// Limits bound what the public interface takes (§7). One that is nil bounds nothing.
type Limits struct {
	PerKey          Limiter // requests of one visitor key
	PerIP           Limiter // requests of one client: an IPv4 address, or an IPv6 /64
	NewPerIP        Limiter // devices and handoffs that one client creates
	EventsPerAnchor Limiter // events of one device
}

// What is refused, and by which limit: a label of the metrics as well.
const (
	limitKey    = "key"
	limitClient = "ip"
	limitNew    = "new"
	limitEvents = "events"
)

// limiting holds the Limits. A key is counted under its hash, known or not: the
// request of an invented one counts against its client all the same, since each key
// that is sent counts as a request there.
type limiting struct {
	limits Limits
	cookie Cookie
	// known are devices that were told to keep their key lately, which therefore
	// create nothing. A device that is not among them counts as new once.
	known *lru.Cache[identity.KeyHash, struct{}]
	// visitors are the same of scans.
	visitors *lru.Cache[scan.VisitorID, struct{}]
}

const mostKnown = 1 << 16

func newLimiting(limits Limits, cookie Cookie) limiting {
	l := limiting{limits: limits, cookie: cookie}
	if limits.NewPerIP != nil {
		l.known, _ = lru.New[identity.KeyHash, struct{}](mostKnown) // its only error is a size below 1
		l.visitors, _ = lru.New[scan.VisitorID, struct{}](mostKnown)
	}
	return l
}

// calls lets through who does not ask too often. The key goes first: one device that
// floods must not use up what its whole school may ask.
func (l limiting) calls(next handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		hashes := l.hashes(r)
		for _, hash := range hashes {
			if err := l.take(w, r, limitKey, l.limits.PerKey, nameOf(hash), 1); err != nil {
				return err
			}
		}
		if err := l.take(w, r, limitClient, l.limits.PerIP, household(w), max(1, len(hashes))); err != nil {
			return err
		}
		return next(w, r)
	}
}

// clients is calls for paths that know no keys.
func (l limiting) clients(next handler) handler {
	l.cookie = Cookie{}
	return l.calls(next)
}

// creates counts what makes a new device, unless one that we know does it.
func (l limiting) creates(w http.ResponseWriter, r *http.Request) error {
	if l.known == nil || slices.ContainsFunc(l.hashes(r), l.known.Contains) {
		return nil
	}
	return l.createsAlways(w, r)
}

// createsAlways counts what makes something new whoever does it.
func (l limiting) createsAlways(w http.ResponseWriter, r *http.Request) error {
	return l.take(w, r, limitNew, l.limits.NewPerIP, household(w), 1)
}

// learn remembers the device of an answer, and forgets those whose keys are dead.
func (l limiting) learn(r *http.Request, issued *identity.Key, expired bool) {
	if l.known == nil {
		return
	}
	if expired {
		for _, hash := range l.hashes(r) {
			l.known.Remove(hash)
		}
	}
	if issued != nil {
		l.known.Add(issued.Hash(), struct{}{})
	}
}

// events counts n events against each of the devices whose keys were sent.
func (l limiting) events(w http.ResponseWriter, r *http.Request, n int) error {
	for _, hash := range l.hashes(r) {
		if err := l.take(w, r, limitEvents, l.limits.EventsPerAnchor, nameOf(hash), n); err != nil {
			return err
		}
	}
	return nil
}

// carried counts n events against the device that a token speaks for.
func (l limiting) carried(w http.ResponseWriter, r *http.Request, token string, n int) error {
	return l.take(w, r, limitEvents, l.limits.EventsPerAnchor, nameOf(sha256.Sum256([]byte(token))), n)
}

// floods counts a scan by whoever holds these ids, and says whether it is one too
// many of that client, or makes one too many new visitors.
func (l limiting) floods(w http.ResponseWriter, r *http.Request, visitors []scan.VisitorID) bool {
	err := l.take(w, r, limitClient, l.limits.PerIP, household(w), 1)
	if err == nil && l.visitors != nil && !slices.ContainsFunc(visitors, l.visitors.Contains) {
		err = l.createsAlways(w, r)
	}
	w.Header().Del("Retry-After") // nobody is sent away
	return err != nil
}

// welcome remembers a visitor who was told to keep an id.
func (l limiting) welcome(visitor scan.VisitorID) {
	if l.visitors != nil {
		l.visitors.Add(visitor, struct{}{})
	}
}

func (l limiting) take(w http.ResponseWriter, r *http.Request, kind string, limiter Limiter, name string, n int) error {
	if limiter == nil || n == 0 {
		return nil
	}
	wait, ok := limiter.Take(r.Context(), name, n)
	if ok {
		return nil
	}
	if x, ok := w.(*exchange); ok {
		x.limit = kind
	}
	seconds := max(1, math.Ceil(wait.Seconds()))
	w.Header().Set("Retry-After", strconv.FormatFloat(seconds, 'f', 0, 64))
	return fault.New(fault.Limited, "", "too much at once; come back later")
}

// hashes are those of the distinct keys that were sent.
func (l limiting) hashes(r *http.Request) []identity.KeyHash {
	if l.cookie.Name == "" {
		return nil
	}
	keys, _ := l.cookie.sentKeys(r)
	var hashes []identity.KeyHash
	for _, key := range keys {
		if hash := key.Hash(); !slices.Contains(hashes, hash) {
			hashes = append(hashes, hash)
		}
	}
	return hashes
}

func nameOf(hash [sha256.Size]byte) string { return base64.RawURLEncoding.EncodeToString(hash[:]) }

// household is the network that one client has to itself: with IPv6 a whole /64.
func household(w http.ResponseWriter) string {
	if x, ok := w.(*exchange); ok {
		return prefixOf(x.client, 32, 64)
	}
	return ""
}

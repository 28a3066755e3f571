package oracle_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/features/oracle"
	"continuity/ports/capture"
	"continuity/ports/handingoff"
	"continuity/ports/reporting"
)

var (
	keeping = identity.Retention{Period: 730 * 24 * time.Hour, HeldFor: 72 * time.Hour}
	peppers = identity.Peppers{identity.NewPepper([]byte("test-pepper-v1")), identity.NewPepper([]byte("test-pepper-v0"))}
)

// histories share a database: each has people of its own.
var numbered atomic.Int64

// site is the service as one history meets it, with names for what it draws itself.
type site struct {
	Gomega
	ctx      context.Context
	capture  []*capture.Service // one for each process
	handoffs []*handingoff.Service
	reports  *reporting.Service
	bare     *sql.DB
	clock    atomic.Int64 // ms
	number   int64
	floor    int64 // ids above are of this history

	keys    map[oracle.Key]identity.Key
	names   map[identity.Key]oracle.Key
	anchors map[oracle.Key]identity.AnchorID
	leads   map[oracle.Address]identity.LeadID
	tokens  []string // of the model's handoffs
}

func (p *place) site(g Gomega, anonymousAnchors bool) *site {
	s := &site{
		Gomega: g, ctx: context.Background(), bare: p.bare, number: numbered.Add(1),
		keys: map[oracle.Key]identity.Key{}, names: map[identity.Key]oracle.Key{},
		anchors: map[oracle.Key]identity.AnchorID{}, leads: map[oracle.Address]identity.LeadID{},
	}
	s.clock.Store(time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC).UnixMilli())
	now := func() time.Time { return time.UnixMilli(s.clock.Load()).UTC() }
	rules := capture.Rules{Retention: keeping, AnonymousAnchors: anonymousAnchors}
	for _, node := range p.nodes {
		s.capture = append(s.capture, capture.New(node, rules, peppers, now, rand.Reader))
		s.handoffs = append(s.handoffs, handingoff.New(node, handingoff.Rules{
			Retention: keeping, TTL: time.Hour, Destinations: []handoff.Destination{portal},
		}, peppers, now, rand.Reader))
	}
	s.reports = reporting.New(p.nodes[0], peppers, keeping, now)
	g.Expect(p.bare.QueryRow(`SELECT COALESCE(MAX(m), 0) FROM (SELECT MAX(id) AS m FROM anchors
		UNION ALL SELECT MAX(id) FROM leads UNION ALL SELECT MAX(id) FROM submissions) AS ids`).Scan(&s.floor)).To(Succeed())
	return s
}

// request is one request as it is sent, so that it can be sent again.
type request struct {
	Kind  kind
	Keys  []oracle.Key
	Form  oracle.Form
	Typed int
	Quiet bool
	// Token and Claim are which handoff, and whose browser.
	Token int
	Claim string
}

// stranger is a key that no site ever issued.
const stranger oracle.Key = -1

func (s *site) visit(r request) capture.Visit {
	visit := capture.Visit{Unrecognised: r.Quiet}
	for _, key := range r.Keys {
		sent := identity.Key{255, byte(s.number)}
		if key != stranger {
			sent = s.keys[key]
		}
		visit.Keys = append(visit.Keys, sent)
	}
	return visit
}

func (s *site) beacon(r request) capture.Beacon {
	beacon := capture.Beacon{Session: journey.Session(r.Form.Session)}
	for _, step := range r.Form.Steps {
		beacon.Events = append(beacon.Events, journey.Draft{ID: step.ID, Session: step.Session, HasSession: true})
	}
	return beacon
}

// typed is a person's address as they wrote it.
func (s *site) typed(who oracle.Address, how int) string {
	address := fmt.Sprintf("%s-%d@example.org", who, s.number)
	switch how {
	case 1:
		return strings.ToUpper(address)
	case 2:
		return "  " + address + ". "
	}
	return address
}

// send has one of the processes answer.
func (s *site) send(node int, r request) (capture.Answer, error) {
	switch r.Kind {
	case visits:
		return s.capture[node].Append(s.ctx, s.visit(r), s.beacon(r))
	case resets:
		return s.capture[node].Reset(s.ctx, s.visit(r))
	case mints, claims, confirms:
		return s.handOff(node, r)
	}
	form := capture.Form{
		ID: identity.ClientID(r.Form.Client), Form: "contact", Email: s.typed(r.Form.Who, r.Typed), Name: r.Form.Name,
	}
	return s.capture[node].Submit(s.ctx, s.visit(r), form, s.beacon(r), r.Form.Browser)
}

// tell sends a request whose answer the model foretold, and gives the answer in the
// model's names: a key never seen before has the name that the model gave it.
func (s *site) tell(r request, foretold oracle.Answer) oracle.Answer {
	s.clock.Add(1000)
	got, err := s.send(0, r)
	s.Expect(err).NotTo(HaveOccurred())
	answer := oracle.Answer{Stored: got.Stored, Expire: got.Expire}
	if got.Issue == nil {
		return answer
	}
	if _, known := s.names[*got.Issue]; !known {
		s.Expect(s.keys).NotTo(HaveKey(foretold.Issue), "a key was drawn where a known one was to be issued again")
		s.keys[foretold.Issue], s.names[*got.Issue] = *got.Issue, foretold.Issue
	}
	answer.Issue = s.names[*got.Issue]
	return answer
}

// resolve has a person decide; false when the verdict was refused.
func (s *site) resolve(device oracle.Key, who oracle.Address, keepShared bool) bool {
	s.clock.Add(1000)
	verdict := reporting.Verdict{KeepShared: keepShared, By: "crm"}
	if !keepShared {
		if verdict.Lead = s.leads[who]; verdict.Lead == 0 {
			verdict.Lead = 1 << 40
		}
	}
	_, err := s.reports.Resolve(s.ctx, s.anchors[device], verdict)
	if err != nil {
		s.Expect(fault.CodeOf(err)).To(Equal(fault.Unlisted), "%v", err)
	}
	return err == nil
}

package oracle_test

import (
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/features/oracle"
	"continuity/ports/capture"
	"continuity/ports/handingoff"
)

const portal = handoff.Destination("portal.example.net")

// handOff has one of the processes answer what is about a handoff. A refusal is an
// answer in which nothing is stored.
func (s *site) handOff(node int, r request) (answer capture.Answer, err error) {
	beacon := handingoff.Beacon(s.beacon(r))
	switch r.Kind {
	case mints:
		minted, err := s.handoffs[node].Mint(s.ctx, handingoff.Visit(s.visit(r)), string(portal), beacon)
		if minted.Token != nil {
			s.tokens = append(s.tokens, minted.Token.String())
		}
		return capture.Answer{Stored: minted.Token != nil, Issue: minted.Issue, Expire: minted.Expire}, err
	case claims:
		claimed, err := s.handoffs[node].Claim(s.ctx, handingoff.Visit{}, portal, s.tokens[r.Token], handoff.ClaimID(r.Claim), beacon)
		if fault.CodeOf(err) == fault.Gone {
			err = nil
		}
		return capture.Answer{Stored: claimed.Stored}, err
	}
	return capture.Answer{}, s.handoffs[node].Confirm(s.ctx, portal, s.tokens[r.Token], handoff.ClaimID(r.Claim), handingoff.Form{
		ID: identity.ClientID(r.Form.Client), Form: "apply", Email: s.typed(r.Form.Who, r.Typed), Name: r.Form.Name,
	})
}

// foretellHandoff is handOff in the model.
func (p *player) foretellHandoff(r request) oracle.Answer {
	switch r.Kind {
	case mints:
		if r.Quiet {
			return oracle.Answer{Expire: len(r.Keys) > 0}
		}
		return p.world.Mint(r.Keys, r.Form)
	case claims:
		return oracle.Answer{Stored: p.world.Claim(p.world.Handoffs[r.Token], r.Claim, r.Form)}
	}
	p.world.Confirm(p.world.Handoffs[r.Token], r.Claim, oracle.Form{Who: r.Form.Who, Client: r.Form.Client, Name: r.Form.Name})
	return oracle.Answer{}
}

// holdRedeemed holds what each browser's destination is told to the model.
func (p *player) holdRedeemed() {
	for i, h := range p.world.Handoffs {
		for _, claim := range claimIDs {
			events, err := p.handoffs[0].Redeem(p.ctx, portal, p.tokens[i], handoff.ClaimID(claim))
			want, ok := h.Redeem(claim)
			if !ok {
				p.Expect(fault.CodeOf(err)).To(Equal(fault.Gone))
				continue
			}
			p.Expect(err).NotTo(HaveOccurred())
			got := map[string]bool{}
			for _, e := range events {
				got[string(e.ID)] = true
			}
			p.Expect(got).To(HaveLen(len(events)), "an event was told twice")
			told := map[string]bool{}
			for _, id := range want {
				told[id] = true
			}
			p.Expect(got).To(Equal(told), "what handoff %d carried", i)
		}
	}
}

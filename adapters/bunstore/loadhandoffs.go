package bunstore

import (
	"fmt"

	"github.com/uptrace/bun"

	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

// carriers are the devices of the handoffs that ops name. They are found without
// a lock, which is safe because a handoff never changes its device; the handoffs
// themselves are read when their devices are locked.
func (l *loader) carriers(ops []*op) (tokens [][]byte, devices []identity.AnchorID, err error) {
	for _, o := range ops {
		if o.ask.Handoff != (handoff.TokenHash{}) {
			tokens = append(tokens, o.ask.Handoff[:])
		}
	}
	if len(tokens) == 0 {
		return nil, nil, nil
	}
	if err := l.tx.NewSelect().Model((*handoffRow)(nil)).Column("anchor_id").Distinct().
		Where("h.token_hash IN (?)", bun.In(tokens)).Scan(l.ctx, &devices); err != nil {
		return nil, nil, fmt.Errorf("find handoffs: %w", err)
	}
	return tokens, devices, nil
}

// loadHandoffs loads those named, and the unconfirmed ones of the devices asked for.
func (l *loader) loadHandoffs(ops []*op, tokens [][]byte, carriers []identity.AnchorID) error {
	var devices []identity.AnchorID
	for _, o := range ops {
		if o.ask.Handoffs {
			devices = append(devices, l.devices(o)...)
		}
	}
	if len(carriers) > 0 {
		if err := l.addHandoffs("h.token_hash IN (?)", bun.In(tokens)); err != nil {
			return err
		}
	}
	if len(devices) == 0 {
		return nil
	}
	return l.addHandoffs("h.confirmed_at IS NULL AND h.anchor_id IN (?)", bun.In(devices))
}

func (l *loader) devices(o *op) (ids []identity.AnchorID) {
	for _, key := range o.ask.Keys {
		if id, ok := l.byKey[key]; ok {
			ids = append(ids, id)
		}
	}
	return ids
}

func (l *loader) addHandoffs(where string, arg any) error {
	var rows []handoffRow
	if err := withAuthor(l.tx.NewSelect().Model(&rows)).Where(where, arg).Scan(l.ctx); err != nil {
		return fmt.Errorf("load handoffs: %w", err)
	}
	for _, r := range rows {
		h := r.handoff()
		l.handoffs[h.ID] = &row[identity.Handoff]{value: h, stored: true}
		l.byToken[h.Token] = h.ID
		if h.Lead != 0 {
			l.authors[h.Submission] = h.Lead
		}
	}
	return nil
}

// loadClaimed adds who was confirmed at a destination, in the sessions they claimed
// in: those stand with the handoff, not with the submission.
func (l *loader) loadClaimed(devices []identity.AnchorID, sessions []journey.Session) error {
	var rows []handoffRow
	if err := withAuthor(l.tx.NewSelect().Model(&rows)).Where("h.confirmed_at IS NOT NULL").
		Where("h.anchor_id IN (?)", bun.In(devices)).Where("h.claim_session IN (?)", bun.In(sessions)).
		Scan(l.ctx); err != nil {
		return fmt.Errorf("load who claimed: %w", err)
	}
	for _, r := range rows {
		if r.LeadID != 0 {
			place := identity.SessionOn{Anchor: r.AnchorID, Session: r.ClaimSession}
			l.inSession[place] = append(l.inSession[place], r.LeadID)
		}
	}
	return nil
}

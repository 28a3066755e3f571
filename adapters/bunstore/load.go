package bunstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
	"continuity/domain/journey"
)

// errAgain: something that was there a statement ago is gone; a new transaction
// sees how it is now.
var errAgain = errors.New("lost a race, to be repeated")

// loader fills a view, in the order in which every transaction takes its locks.
type loader struct {
	*view
	ctx context.Context
	tx  bun.Tx
	db  *DB
	now int64
}

func (db *DB) load(ctx context.Context, tx bun.Tx, ops []*op) (*view, error) {
	l := &loader{view: newView(db.seal), ctx: ctx, tx: tx, db: db}
	var keys [][]byte
	var submits []*op
	for _, o := range ops {
		l.now = max(l.now, o.ask.Now.UnixMilli())
		for i := range o.ask.Keys {
			keys = append(keys, o.ask.Keys[i][:])
		}
		if len(o.ask.Person) > 0 {
			submits = append(submits, o)
		}
	}
	if err := l.claim(submits); err != nil {
		return nil, err
	}
	tokens, carriers, err := l.carriers(ops)
	if err != nil {
		return nil, err
	}
	if err := l.loadDevices(keys, carriers); err != nil {
		return nil, err
	}
	if err := l.loadPeople(submits); err != nil {
		return nil, err
	}
	if err := l.loadHandoffs(ops, tokens, carriers); err != nil {
		return nil, err
	}
	return l.view, l.loadMeetings(ops)
}

// claim writes the keys of every person submitted, so that of all transactions
// that meet a new address at once, in any process, one creates the lead and the
// others wait for it.
func (l *loader) claim(submits []*op) error {
	claims := map[identity.LeadKey]identity.LeadID{}
	for _, o := range submits {
		for _, key := range o.ask.Person {
			if _, ok := claims[key]; !ok {
				claims[key] = o.fresh.Lead
			}
		}
	}
	if len(claims) == 0 {
		return nil
	}
	rows := make([]leadKeyRow, 0, len(claims))
	for key, lead := range claims {
		rows = append(rows, leadKeyRow{PepperID: key.Pepper, EmailHMAC: bytes.Clone(key.HMAC[:]), LeadID: lead})
	}
	slices.SortFunc(rows, func(a, b leadKeyRow) int {
		return cmp.Or(cmp.Compare(a.PepperID, b.PepperID), bytes.Compare(a.EmailHMAC, b.EmailHMAC))
	})
	if err := claimEach(l.ctx, l.tx, rows); err != nil {
		return fmt.Errorf("claim leads: %w", err)
	}
	hmacs := make([][]byte, len(rows))
	for i := range rows {
		hmacs[i] = rows[i].EmailHMAC
	}
	var found []leadKeyRow
	if err := l.tx.NewSelect().Model(&found).Where("k.email_hmac IN (?)", bun.In(hmacs)).Scan(l.ctx); err != nil {
		return fmt.Errorf("find leads: %w", err)
	}
	for _, row := range found {
		l.byPerson[row.key()] = row.LeadID
	}
	for key := range claims {
		if l.byPerson[key] == 0 {
			return errAgain
		}
	}
	return l.agree(submits)
}

// agree gives all keys of a person to one lead: under a pepper that is new here, a
// lead that is known by another has no key yet, and the claim has just made one.
func (l *loader) agree(submits []*op) error {
	ours := map[identity.LeadID]bool{}
	for _, o := range submits {
		ours[o.fresh.Lead] = true
	}
	for _, o := range submits {
		if len(o.ask.Person) < 2 {
			continue
		}
		lead := l.byPerson[o.ask.Person[0]]
		for _, key := range o.ask.Person {
			if known := l.byPerson[key]; ours[lead] && !ours[known] {
				lead = known
			}
		}
		for _, key := range o.ask.Person {
			if l.byPerson[key] == lead {
				continue
			}
			l.byPerson[key] = lead
			_, err := l.tx.ExecContext(l.ctx, "UPDATE lead_keys SET lead_id = ? WHERE pepper_id = ? AND email_hmac = ?",
				lead, key.Pepper, key.HMAC[:])
			if err != nil {
				return fmt.Errorf("give a lead its key under another pepper: %w", err)
			}
		}
	}
	return nil
}

// loadDevices locks all devices that a batch is about at once, in order of id.
func (l *loader) loadDevices(keys [][]byte, carriers []identity.AnchorID) error {
	switch {
	case len(carriers) == 0 && len(keys) == 0:
		return nil
	case len(carriers) == 0:
		rows, err := l.db.dialect.anchorsOfKeys(l.ctx, l.tx, keys)
		if err != nil {
			return fmt.Errorf("load anchors: %w", err)
		}
		l.know(rows)
		return nil
	case len(keys) == 0:
		return l.loadAnchors("a.id IN (?)", bun.In(carriers))
	}
	return l.loadAnchors("(a.visitor_key_hash IN (?) OR a.id IN (?))", bun.In(keys), bun.In(carriers))
}

func (l *loader) loadAnchors(where string, args ...any) error {
	var rows []anchorRow
	q := l.tx.NewSelect().Model(&rows).ColumnExpr("a.*, l.expires_at AS lead_expires_at").
		Join("LEFT JOIN leads AS l ON l.id = a.lead_id").
		Where(where, args...).Order("a.id")
	if err := l.db.dialect.lock(q, "a").Scan(l.ctx); err != nil {
		return fmt.Errorf("load anchors: %w", err)
	}
	l.know(rows)
	return nil
}

// know puts the anchors that have not expired into the view.
func (l *loader) know(rows []anchorRow) {
	for _, r := range rows {
		if r.expired(l.now) {
			continue
		}
		anchor := r.anchor()
		l.anchors[anchor.ID] = &row[identity.Anchor]{value: anchor, stored: true}
		if anchor.Key != (identity.KeyHash{}) {
			l.byKey[anchor.Key] = anchor.ID
		}
	}
}

// loadPeople loads the leads that existed before this batch, with what was
// submitted under the ids that are submitted now.
func (l *loader) loadPeople(submits []*op) error {
	ids := slices.Sorted(maps.Values(l.byPerson))
	if len(ids) == 0 {
		return nil
	}
	var leads []leadRow
	q := l.tx.NewSelect().Model(&leads).Where("l.id IN (?)", bun.In(ids)).Order("l.id")
	if err := l.db.dialect.lock(q, "l").Scan(l.ctx); err != nil {
		return fmt.Errorf("load leads: %w", err)
	}
	for _, r := range leads {
		if r.expired(l.now) {
			if err := l.letGo(r.ID, submits); err != nil {
				return err
			}
			continue
		}
		lead, err := l.seal.lead(r)
		if err != nil {
			return err
		}
		l.leads[lead.ID] = &row[identity.Lead]{value: lead, stored: true}
	}
	if !l.everybodyIsHere(submits) {
		return errAgain
	}
	if len(l.leads) == 0 {
		return nil
	}
	return l.loadPrior(submits)
}

// everybodyIsHere says whether each person is either ours to create or loaded. A
// lead that was erased after its key was read is neither.
func (l *loader) everybodyIsHere(submits []*op) bool {
	ours := map[identity.LeadID]bool{}
	for _, o := range submits {
		ours[o.fresh.Lead] = true
	}
	for _, id := range l.byPerson {
		if l.leads[id] == nil && !ours[id] {
			return false
		}
	}
	return true
}

func (l *loader) loadPrior(submits []*op) error {
	clients := make([]identity.ClientID, len(submits))
	for i, o := range submits {
		clients[i] = o.ask.Client
	}
	var rows []submissionRow
	if err := l.tx.NewSelect().Model(&rows).
		Where("s.lead_id IN (?)", bun.In(slices.Collect(maps.Keys(l.leads)))).
		Where("s.client_id IN (?)", bun.In(clients)).Scan(l.ctx); err != nil {
		return fmt.Errorf("load submissions: %w", err)
	}
	var homes []identity.AnchorID
	for _, r := range rows {
		submission, err := l.seal.submission(r)
		if err != nil {
			return err
		}
		name := submissionName{submission.Lead, submission.Client}
		l.submissions[name] = &row[identity.Submission]{value: submission, stored: true}
		if home := submission.Anchor; home != 0 && l.anchors[home] == nil {
			homes = append(homes, home)
		}
	}
	if len(homes) == 0 {
		return nil
	}
	return l.loadAnchors("a.id IN (?)", bun.In(homes))
}

// loadMeetings loads who was identified before on the devices, and in the
// sessions, that ops submit, mint or claim in.
func (l *loader) loadMeetings(ops []*op) error {
	var devices []identity.AnchorID
	var sessions []journey.Session
	for _, o := range ops {
		for _, place := range l.places(o) {
			devices, sessions = append(devices, place.Anchor), append(sessions, place.Session)
		}
	}
	if len(devices) == 0 {
		return nil
	}
	var met []submissionRow
	if err := l.tx.NewSelect().Model(&met).Column("anchor_id", "session", "lead_id").Distinct().
		Where("s.anchor_id IN (?)", bun.In(devices)).Where("s.session IN (?)", bun.In(sessions)).
		Scan(l.ctx); err != nil {
		return fmt.Errorf("load who submitted: %w", err)
	}
	for _, r := range met {
		place := identity.SessionOn{Anchor: r.AnchorID, Session: r.Session}
		l.inSession[place] = append(l.inSession[place], r.LeadID)
	}
	var doubts []doubtfulRow
	if err := l.tx.NewSelect().Model(&doubts).
		Where("d.anchor_id IN (?)", bun.In(devices)).Where("d.session IN (?)", bun.In(sessions)).
		Scan(l.ctx); err != nil {
		return fmt.Errorf("load doubtful sessions: %w", err)
	}
	for _, r := range doubts {
		l.doubtful[identity.SessionOn{Anchor: r.AnchorID, Session: r.Session}] = &row[struct{}]{stored: true}
	}
	if err := l.loadClaimed(devices, sessions); err != nil {
		return err
	}
	return l.loadCandidates(devices)
}

func (l *loader) loadCandidates(devices []identity.AnchorID) error {
	var rows []candidateRow
	if err := l.tx.NewSelect().Model(&rows).
		Where("c.anchor_id IN (?)", bun.In(devices)).Order("c.id").Scan(l.ctx); err != nil {
		return fmt.Errorf("load candidates: %w", err)
	}
	for _, r := range rows {
		l.candidates[r.AnchorID] = append(l.candidates[r.AnchorID],
			&row[identity.Candidate]{value: r.candidate(), stored: true})
	}
	return nil
}

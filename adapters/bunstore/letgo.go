package bunstore

import (
	"fmt"

	"continuity/domain/identity"
)

// gone is an expiry that no clock has still to reach.
const gone = 1

// letGo takes an address from a person who has expired, for somebody new who submits
// it now (R13). What is left of the one before can be found by nobody, tells no
// identity any more, and is pruned like all that has expired, in its own time.
func (l *loader) letGo(old identity.LeadID, submits []*op) error {
	var fresh identity.LeadID
	for _, o := range submits {
		for _, key := range o.ask.Person {
			if l.byPerson[key] != old {
				continue
			}
			if fresh == 0 {
				fresh = o.fresh.Lead
			}
			l.byPerson[key] = fresh
		}
	}
	result, err := l.tx.ExecContext(l.ctx, "UPDATE lead_keys SET lead_id = ? WHERE lead_id = ?", fresh, old)
	if err != nil {
		return fmt.Errorf("let an expired person go: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errAgain // another node was faster
	}
	for _, statement := range []string{
		"UPDATE leads SET identity = ?, expires_at = ? WHERE id = ?",
		"UPDATE submissions SET identity = ?, fields = NULL WHERE ? = 1 AND lead_id = ?",
	} {
		if _, err := l.tx.ExecContext(l.ctx, statement, []byte{}, gone, old); err != nil {
			return fmt.Errorf("let an expired person go: %w", err)
		}
	}
	return nil
}

func (r leadRow) expired(now int64) bool { return r.ExpiresAt != 0 && r.ExpiresAt <= now }

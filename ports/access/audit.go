package access

import (
	"context"
	"fmt"
	"time"

	"continuity/domain/fault"
)

// Note is one line of the audit log: a read of an identity, or an act on one. It
// never has any of the content.
type Note struct {
	ID      int64
	At      time.Time
	Who     string // the token, by its name and id, or the command line
	What    string // as "POST /v1/leads/find"
	Subject string // as "lead 12"; empty where it was about nobody in particular
}

// AuditLog is what access asks of a database about its notes.
type AuditLog interface {
	// AddNote keeps a note under an id of its own.
	AddNote(ctx context.Context, note Note) error
	// Notes lists notes with an id below before (zero: all), the newest first.
	Notes(ctx context.Context, before int64, limit int) ([]Note, error)
}

// Note records that somebody reads or acts. Whoever is to be told something is told
// only once it is recorded.
func (s *Service) Note(ctx context.Context, who, what, subject string) error {
	note := Note{At: s.now().UTC().Truncate(time.Millisecond), Who: who, What: what, Subject: subject}
	if err := s.store.AddNote(ctx, note); err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	return nil
}

const mostNotes = 1000

// Notes lists the audit log, the newest first, from before a note that was listed.
func (s *Service) Notes(ctx context.Context, before int64, limit int) ([]Note, error) {
	if limit < 1 || limit > mostNotes {
		return nil, fault.New(fault.Invalid, "limit", "must be a number from 1 to 1000")
	}
	return s.store.Notes(ctx, before, limit)
}

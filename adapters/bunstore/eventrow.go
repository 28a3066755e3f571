package bunstore

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/uptrace/bun"
	bundialect "github.com/uptrace/bun/dialect"
	"github.com/uptrace/bun/schema"

	"continuity/domain/identity"
	"continuity/domain/journey"
)

type eventRow struct {
	bun.BaseModel `bun:"table:events,alias:e"`

	AnchorID     identity.AnchorID     `bun:"anchor_id"`
	EventID      packedID              `bun:"event_id"`
	EventName    string                `bun:"event_name,nullzero"`
	Session      journey.Session       `bun:"session,nullzero"`
	OccurredAt   int64                 `bun:"occurred_at"`
	ReceivedAt   int64                 `bun:"received_at"`
	Clamped      bool                  `bun:"clamped"`
	Source       int16                 `bun:"source"`
	Position     int16                 `bun:"position"`
	Kind         string                `bun:"kind"`
	URL          string                `bun:"url,nullzero"`
	Title        string                `bun:"title,nullzero"`
	Referrer     string                `bun:"referrer,nullzero"`
	Campaign     string                `bun:"campaign,nullzero"`
	Props        string                `bun:"props,nullzero"`
	Ownership    int16                 `bun:"ownership"`
	LeadID       identity.LeadID       `bun:"lead_id,nullzero"`
	SubmissionID identity.SubmissionID `bun:"submission_id,nullzero"`
}

// The numbers that stand for words in events; they are only ever added to.
var (
	sources    = []journey.Source{journey.FromAppend, journey.FromSubmission, journey.FromMint, journey.FromClaim, journey.FromScan}
	ownerships = []identity.Ownership{identity.Attributed, identity.InSnapshot, identity.Nobodys}
)

const (
	attributed = 0
	inSnapshot = 1
)

func number[T comparable](words []T, word T) int16 {
	for i, w := range words {
		if w == word {
			return int16(i)
		}
	}
	panic(fmt.Sprintf("bunstore: no number for %v", word))
}

func eventRowOf(e identity.OwnedEvent) eventRow {
	id, name := pack(e.ID)
	return eventRow{
		AnchorID: e.Anchor, EventID: id, EventName: name, Session: e.Session,
		OccurredAt: e.OccurredAt.UnixMilli(), ReceivedAt: e.ReceivedAt.UnixMilli(), Clamped: e.Clamped,
		Source: number(sources, e.Source), Position: int16(e.Position), Kind: e.Kind, URL: e.URL, Title: e.Title,
		Referrer: e.Referrer, Campaign: e.Campaign, Props: e.Props,
		Ownership: number(ownerships, e.Ownership), LeadID: e.Lead, SubmissionID: e.Submission,
	}
}

// eventColumns are the columns in the order of appendValues.
var eventColumns = []string{
	"anchor_id", "event_id", "event_name", "session", "occurred_at", "received_at", "clamped", "source", "position", "kind",
	"url", "title", "referrer", "campaign", "props", "ownership", "lead_id", "submission_id",
}

// appendValues appends the row's values, in the order of eventColumns.
func (r *eventRow) appendValues(to []any) []any {
	return append(to, int64(r.AnchorID), r.EventID[:], text(r.EventName), text(string(r.Session)),
		r.OccurredAt, r.ReceivedAt, r.Clamped, r.Source, r.Position, r.Kind, text(r.URL), text(r.Title), text(r.Referrer),
		text(r.Campaign), text(r.Props), r.Ownership, integer(int64(r.LeadID)), integer(int64(r.SubmissionID)))
}

// text and integer: what is empty is kept as NULL.
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func integer(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

func (r eventRow) event() journey.Event {
	return journey.Event{
		ID: r.EventID.unpack(r.EventName), Session: r.Session,
		OccurredAt: instant(r.OccurredAt), ReceivedAt: instant(r.ReceivedAt), Clamped: r.Clamped,
		Source: sources[r.Source], Kind: r.Kind, URL: r.URL, Title: r.Title,
		Referrer: r.Referrer, Campaign: r.Campaign, Props: r.Props,
	}
}

// packedID is an event's id in 16 bytes. The client's own form, 22 characters of
// base64url, and a UUID are those bytes; any other id is a hash of it, and stands
// beside it in event_name.
type packedID [16]byte

const isUUID = "u" // event_name of an id that was a UUID in its canonical form

var idText = base64.RawURLEncoding.Strict()

func pack(id journey.EventID) (packed packedID, name string) {
	switch len(id) {
	case 22:
		if n, err := idText.Decode(packed[:], []byte(id)); err == nil && n == len(packed) {
			return packed, ""
		}
	case 36:
		if packed, ok := parseUUID(string(id)); ok && packed.uuid() == string(id) {
			return packed, isUUID
		}
	}
	sum := sha256.Sum256([]byte(id))
	return packedID(sum[:16]), ":" + string(id)
}

func (p packedID) unpack(name string) journey.EventID {
	switch name {
	case "":
		return journey.EventID(idText.EncodeToString(p[:]))
	case isUUID:
		return journey.EventID(p.uuid())
	}
	return journey.EventID(name[1:])
}

func (p packedID) uuid() string {
	h := hex.EncodeToString(p[:])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

func parseUUID(text string) (packed packedID, ok bool) {
	digits := strings.ReplaceAll(text, "-", "")
	if hex.DecodedLen(len(digits)) != len(packed) {
		return packed, false
	}
	_, err := hex.Decode(packed[:], []byte(digits))
	return packed, err == nil
}

// AppendQuery writes the id as the database spells 16 bytes.
func (p packedID) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	if gen.Dialect().Name() == bundialect.PG {
		return append(append(append(b, '\''), p.uuid()...), '\''), nil
	}
	return append(append(append(b, "X'"...), hex.EncodeToString(p[:])...), '\''), nil
}

// Scan reads the id from bytes or from a UUID's text.
func (p *packedID) Scan(src any) error {
	switch v := src.(type) {
	case []byte:
		if len(v) == len(p) {
			copy(p[:], v)
			return nil
		}
		return p.Scan(string(v))
	case string:
		parsed, ok := parseUUID(v)
		if ok {
			*p = parsed
			return nil
		}
	}
	return fmt.Errorf("an event id in the database cannot be read from %T", src)
}

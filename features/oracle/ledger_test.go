package oracle_test

import (
	"database/sql"
	"fmt"

	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/features/oracle"
)

// ledger is what the database holds of one history, bare.
type ledger struct {
	anchors     map[identity.AnchorID]anchor
	events      map[spot]owner
	submissions map[identity.SubmissionID]submission
}

type anchor struct {
	hash        string // empty: retired
	lead, first identity.LeadID
	how         string
	shared      bool
}

// spot is where an event stands.
type spot struct {
	anchor identity.AnchorID
	event  string
}

type owner struct {
	ownership  int
	session    string
	lead       identity.LeadID
	submission identity.SubmissionID
}

// The numbers of owner.ownership.
const (
	attributed = 0
	inSnapshot = 1
	nobodys    = 2
)

type submission struct {
	lead    identity.LeadID
	client  string
	anchor  identity.AnchorID
	session string
}

func (s *site) ledger() ledger {
	l := ledger{
		anchors: map[identity.AnchorID]anchor{}, events: map[spot]owner{},
		submissions: map[identity.SubmissionID]submission{},
	}
	s.rows(`SELECT id, visitor_key_hash, COALESCE(lead_id, 0), COALESCE(first_lead_id, 0), COALESCE(link_provenance, ''),
		shared_flag FROM anchors WHERE id > %d`, func(rows *sql.Rows) error {
		var id identity.AnchorID
		var hash []byte
		var a anchor
		err := rows.Scan(&id, &hash, &a.lead, &a.first, &a.how, &a.shared)
		a.hash = string(hash)
		l.anchors[id] = a
		return err
	})
	s.rows(`SELECT anchor_id, event_name, ownership, COALESCE(session, ''), COALESCE(lead_id, 0), COALESCE(submission_id, 0)
		FROM events WHERE anchor_id > %d`, func(rows *sql.Rows) error {
		var at spot
		var o owner
		err := rows.Scan(&at.anchor, &at.event, &o.ownership, &o.session, &o.lead, &o.submission)
		at.event = at.event[1:]
		l.events[at] = o
		return err
	})
	s.rows(`SELECT id, lead_id, client_id, COALESCE(anchor_id, 0), COALESCE(session, '')
		FROM submissions WHERE id > %d`, func(rows *sql.Rows) error {
		var id identity.SubmissionID
		var sub submission
		err := rows.Scan(&id, &sub.lead, &sub.client, &sub.anchor, &sub.session)
		l.submissions[id] = sub
		return err
	})
	s.learn(l)
	return l
}

func (s *site) rows(query string, each func(*sql.Rows) error) {
	rows, err := s.bare.Query(fmt.Sprintf(query, s.floor))
	s.Expect(err).NotTo(HaveOccurred())
	defer rows.Close()
	for rows.Next() {
		s.Expect(each(rows)).To(Succeed())
	}
	s.Expect(rows.Err()).NotTo(HaveOccurred())
}

// learn remembers which anchor stands behind each key, which is told no more once
// the key is retired.
func (s *site) learn(l ledger) {
	for id, a := range l.anchors {
		for name, key := range s.keys {
			hash := key.Hash()
			if a.hash == string(hash[:]) {
				s.anchors[name] = id
			}
		}
	}
}

// picture is how things stand, in names that every site and the model share.
type picture struct {
	Devices map[oracle.Key]device
	Events  map[string]string // "device/event" to its owner
}

type device struct {
	Lead, First oracle.Address
	How         string
	Shared      bool
	Retired     bool
}

func (s *site) picture(l ledger) picture {
	people := map[identity.LeadID]oracle.Address{}
	for who, id := range s.leads {
		people[id] = who
	}
	keys := map[identity.AnchorID]oracle.Key{}
	for key, id := range s.anchors {
		keys[id] = key
	}
	p := picture{Devices: map[oracle.Key]device{}, Events: map[string]string{}}
	for id, a := range l.anchors {
		p.Devices[keys[id]] = device{
			Lead: people[a.lead], First: people[a.first], How: a.how, Shared: a.shared, Retired: a.hash == "",
		}
	}
	for at, o := range l.events {
		p.Events[eventName(keys[at.anchor], at.event)] = ownerName(o.ownership, people[o.lead], func() (oracle.Address, string) {
			sub := l.submissions[o.submission]
			return people[sub.lead], sub.client
		})
	}
	return p
}

func eventName(key oracle.Key, event string) string { return fmt.Sprintf("%d/%s", key, event) }

func ownerName(ownership int, lead oracle.Address, snapshot func() (oracle.Address, string)) string {
	switch {
	case ownership == inSnapshot:
		who, client := snapshot()
		return fmt.Sprintf("in the snapshot of %s/%s", who, client)
	case ownership == nobodys:
		return "nobody's"
	case lead == "":
		return "the first lead's"
	}
	return string(lead) + "'s"
}

// pictured is the picture that the model has.
func pictured(w *oracle.World) picture {
	p := picture{Devices: map[oracle.Key]device{}, Events: map[string]string{}}
	for _, d := range w.Devices {
		p.Devices[d.Key] = device{Lead: d.Lead, First: d.FirstLead, How: string(d.How), Shared: d.Shared, Retired: d.Retired}
		for _, e := range d.Events {
			ownership := attributed
			switch {
			case e.Submission != nil || e.Promise != nil:
				ownership = inSnapshot
			case e.Lead == "" && !e.FirstLead:
				ownership = nobodys
			}
			p.Events[eventName(d.Key, e.ID)] = ownerName(ownership, e.Lead, func() (oracle.Address, string) {
				if _, snapshot := d.OwnerOf(e); snapshot != nil {
					return snapshot.Who, snapshot.Client
				}
				return "", "" // of a submission that never came, or not yet
			})
		}
	}
	return p
}

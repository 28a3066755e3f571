package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/sync/errgroup"

	"continuity/cmd/app"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
	"continuity/ports/reporting"
)

// The lead whose journey is read: so many events over so many devices.
const (
	reader        = "reader@example.org"
	readerDevices = 3
	readerEvents  = 2000
	readerBeacons = 50
)

// seeder puts devices and events into a database by the ports of the service.
type seeder struct {
	service *app.App
	devices []device
	reader  []device
}

// samples is how many rows the raw inserts take their contents from.
const samples = 300

// atOnce is how many callers fill a database: enough for full transactions.
const atOnce = 512

// each calls do for 0 to n-1, many at once.
func each(ctx context.Context, n int64, what string, do func(ctx context.Context, i int64) error) error {
	bar := progressbar.NewOptions64(n, progressbar.OptionSetDescription(what), progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionThrottle(time.Second), progressbar.OptionShowIts(), progressbar.OptionOnCompletion(func() {
			_, _ = io.WriteString(os.Stderr, "\n")
		}))
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range atOnce {
		group.Go(func() error {
			for i := next.Add(1) - 1; i < n && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := do(ctx, i); err != nil {
					return err
				}
				_ = bar.Add(1)
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return bar.Finish()
}

// arrive has every device submit its person once, which is what gives it a key.
func (s *seeder) arrive(ctx context.Context, devices int) error {
	s.devices, s.reader = make([]device, devices), make([]device, readerDevices)
	if err := each(ctx, int64(devices), "devices", func(ctx context.Context, i int64) (err error) {
		s.devices[i], err = s.submit(ctx, "first", emailOf(int(i)))
		return err
	}); err != nil {
		return err
	}
	for i := range s.reader {
		var err error
		if s.reader[i], err = s.submit(ctx, "form-"+strconv.Itoa(i), reader); err != nil {
			return err
		}
	}
	// A few rows for the raw inserts to be like.
	for i := range min(samples/eventsOfBeacon, devices) {
		if err := s.append(ctx, s.devices[i], eventsOfBeacon); err != nil {
			return err
		}
	}
	return nil
}

func (s *seeder) submit(ctx context.Context, id, email string) (device, error) {
	form := capture.Form{ID: identity.ClientID(id), Form: "contact", Email: email, Name: "Ana"}
	answer, err := s.service.Capture.Submit(ctx, capture.Visit{}, form, capture.Beacon{}, true)
	if err != nil {
		return device{}, err
	}
	return device{key: *answer.Issue}, nil
}

// fill appends events of random devices, so many a beacon, with the reader's spread among them.
func (s *seeder) fill(ctx context.Context, events int64, perBeacon int) error {
	beacons := max(events/int64(perBeacon), readerBeacons)
	every := beacons / readerBeacons
	return each(ctx, beacons, "beacons of "+strconv.Itoa(perBeacon), func(ctx context.Context, i int64) error {
		if i%every == 0 && i/every < readerBeacons {
			if err := s.append(ctx, s.reader[i/every%readerDevices], readerEvents/readerBeacons); err != nil {
				return err
			}
		}
		if events == 0 {
			return nil
		}
		return s.append(ctx, s.devices[rand.IntN(len(s.devices))], perBeacon)
	})
}

func (s *seeder) append(ctx context.Context, d device, events int) error {
	now := time.Now().UnixMilli()
	session, _ := journey.ParseSession(newID())
	beacon := capture.Beacon{Session: session, SentAt: clientTime(now), Events: make([]journey.Draft, events)}
	for i := range beacon.Events {
		beacon.Events[i] = journey.Draft{
			ID: newID(), At: clientTime(now - int64(events-i)), Kind: "page_view",
			URL:   "https://www.example.org/trees/old-town/linden-" + strconv.Itoa(100+i) + "?tab=history",
			Title: "Linden, Main Square: trees", Referrer: "https://www.example.org/trees/old-town",
			Props: map[string]any{"place": "list", "position": "7"},
		}
	}
	_, err := s.service.Capture.Append(ctx, capture.Visit{Keys: []identity.Key{d.key}}, beacon)
	return err
}

func clientTime(ms int64) journey.ClientTime {
	return journey.ClientTimeFromNumber(strconv.FormatInt(ms, 10))
}

// newID is an id as the client makes them.
func newID() string {
	var key identity.Key
	for i := range key {
		key[i] = byte(rand.Uint32())
	}
	return key.String()
}

// read reads the reader's whole journey and says how many events it has.
func (s *seeder) read(ctx context.Context) (events int, err error) {
	lead, err := s.service.Reporting.Find(ctx, reader)
	if err != nil {
		return 0, err
	}
	for page := (reporting.Page{Limit: reporting.MostLimit}); ; {
		_, listed, err := s.service.Reporting.Journey(ctx, lead.ID, page)
		if err != nil {
			return 0, err
		}
		events += len(listed.Items)
		if page.After = listed.Next; page.After == "" {
			return events, nil
		}
	}
}

package bunstore

import (
	"github.com/uptrace/bun"

	"continuity/domain/scan"
)

type treeRow struct {
	bun.BaseModel `bun:"table:trees,alias:t"`

	ID        int64       `bun:"id,pk"`
	Code      scan.TreeID `bun:"code"`
	Name      string      `bun:"name"`
	Species   string      `bun:"species"`
	Lat       *float64    `bun:"lat"`
	Lon       *float64    `bun:"lon"`
	TargetURL string      `bun:"target_url,nullzero"`
}

func treeRowOf(id int64, t scan.Tree) treeRow {
	row := treeRow{ID: id, Code: t.ID, Name: t.Name, Species: t.Species, TargetURL: t.Target}
	if t.Place != nil {
		lat, lon := t.Place.Lat, t.Place.Lon
		row.Lat, row.Lon = &lat, &lon
	}
	return row
}

func (r treeRow) tree() scan.Tree {
	t := scan.Tree{ID: r.Code, Name: r.Name, Species: r.Species, Target: r.TargetURL}
	if r.Lat != nil && r.Lon != nil {
		t.Place = &scan.Place{Lat: *r.Lat, Lon: *r.Lon}
	}
	return t
}

type visitorRow struct {
	bun.BaseModel `bun:"table:visitors,alias:v"`

	ID            int64    `bun:"id,pk"`
	VisitorUUID   packedID `bun:"visitor_uuid"`
	LastIPAddress string   `bun:"last_ip_address"`
	LastUserAgent string   `bun:"last_user_agent"`
	CreatedAt     int64    `bun:"created_at"`
	LastSeenAt    int64    `bun:"last_seen_at"`
}

type scanRow struct {
	bun.BaseModel `bun:"table:tree_scans,alias:s"`

	ID         int64  `bun:"id,pk"`
	TreeID     int64  `bun:"tree_id"`
	VisitorID  int64  `bun:"visitor_id,nullzero"`
	IPAddress  string `bun:"ip_address"`
	UserAgent  string `bun:"user_agent"`
	ExcludedAs *int16 `bun:"excluded_as"`
	FirstScan  bool   `bun:"first_scan"`
	At         int64  `bun:"at"`
}

type orphanRow struct {
	bun.BaseModel `bun:"table:orphan_codes,alias:o"`

	Code    scan.TreeID `bun:"code,pk"`
	Scans   int         `bun:"scans"`
	FirstAt int64       `bun:"first_at"`
	LastAt  int64       `bun:"last_at"`
}

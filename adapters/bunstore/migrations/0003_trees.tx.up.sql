-- Trees with codes on them, and who stood before each.

CREATE TABLE trees (
  id         {{.Int}} PRIMARY KEY,
  code       TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  species    TEXT NOT NULL,
  lat        DOUBLE PRECISION,
  lon        DOUBLE PRECISION,
  target_url TEXT
);

--bun:split

CREATE TABLE visitors (
  id              {{.Int}} PRIMARY KEY,
  visitor_uuid    {{.UUID}} NOT NULL UNIQUE,
  last_ip_address TEXT,
  last_user_agent TEXT,
  created_at      {{.Int}} NOT NULL,
  last_seen_at    {{.Int}} NOT NULL
);

--bun:split

CREATE INDEX visitors_to_forget ON visitors (last_seen_at) WHERE last_ip_address IS NOT NULL;

--bun:split

-- No foreign keys: they would lock the tree's row for every scan of it. Neither
-- trees nor visitors are ever removed.
CREATE TABLE tree_scans (
  id          {{.Int}} PRIMARY KEY,
  tree_id     {{.Int}} NOT NULL,
  visitor_id  {{.Int}},
  ip_address  TEXT,
  user_agent  TEXT,
  excluded_as SMALLINT,
  first_scan  BOOLEAN NOT NULL,
  at          {{.Int}} NOT NULL
);

--bun:split

-- Both whether a visitor was here before and every report are read from this alone.
CREATE INDEX tree_scans_of_visitor ON tree_scans (tree_id, visitor_id, at, first_scan, excluded_as);

--bun:split

CREATE INDEX tree_scans_to_forget ON tree_scans (at) WHERE ip_address IS NOT NULL;

--bun:split

CREATE TABLE orphan_codes (
  code     TEXT NOT NULL PRIMARY KEY,
  scans    {{.Int}} NOT NULL,
  first_at {{.Int}} NOT NULL,
  last_at  {{.Int}} NOT NULL
);

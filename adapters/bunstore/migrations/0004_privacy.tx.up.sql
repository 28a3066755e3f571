-- What was erased, without whom.
CREATE TABLE erasures (
  id          {{.Int}} PRIMARY KEY,
  at          {{.Int}} NOT NULL,
  leads       {{.Int}} NOT NULL,
  submissions {{.Int}} NOT NULL,
  events      {{.Int}} NOT NULL,
  anchors     {{.Int}} NOT NULL,
  candidates  {{.Int}} NOT NULL
);

--bun:split

-- What a person's rows are found by when they are removed.
CREATE INDEX candidates_of_first_lead ON candidates (first_lead);

--bun:split

CREATE INDEX candidates_of_second_lead ON candidates (second_lead);

--bun:split

CREATE INDEX candidates_of_submission ON candidates (submission_id);

--bun:split

-- What has expired.
CREATE INDEX leads_by_expiry ON leads (expires_at) WHERE expires_at IS NOT NULL;

--bun:split

-- Those that expire on their own: any other lives as long as its person, however
-- long it has been silent.
CREATE INDEX anchors_by_expiry ON anchors (expires_at) WHERE expires_at IS NOT NULL AND (lead_id IS NULL OR shared_flag);

--bun:split

-- The retention under which what is stored expires, in milliseconds; 0 is never.
CREATE TABLE applied_retention (period {{.Int}} NOT NULL, held_for {{.Int}} NOT NULL);

--bun:split

-- The peppers and seal keys that this database lives by, by their public ids.
CREATE TABLE enrolled_secrets (
  kind        TEXT NOT NULL,
  id          TEXT NOT NULL,
  check_value {{.Bytes}},
  PRIMARY KEY (kind, id)
);

--bun:split

-- Who read or did what to whom, by ids, without any of the content.
CREATE TABLE audit (
  id      {{.Int}} PRIMARY KEY,
  at      {{.Int}} NOT NULL,
  who     TEXT NOT NULL,
  what    TEXT NOT NULL,
  subject TEXT NOT NULL
);

-- One file for both databases: {{.Int}}, {{.Bytes}} and {{.UUID}} are their words for a
-- 64-bit integer, bytes, and 16 bytes. Times are milliseconds since the epoch.

-- Ids of every table come from here, so that none is ever used twice, in any table.
CREATE TABLE ids (next {{.Int}} NOT NULL);

--bun:split

INSERT INTO ids (next) VALUES (1);

--bun:split

CREATE TABLE leads (
  id            {{.Int}} PRIMARY KEY,
  identity      {{.Bytes}} NOT NULL,
  lead_status   TEXT NOT NULL,
  first_seen_at {{.Int}} NOT NULL,
  last_seen_at  {{.Int}} NOT NULL,
  expires_at    {{.Int}}
);

--bun:split

CREATE TABLE lead_keys (
  pepper_id  TEXT NOT NULL,
  email_hmac {{.Bytes}} NOT NULL,
  lead_id    {{.Int}} NOT NULL REFERENCES leads (id) DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (pepper_id, email_hmac)
);

--bun:split

CREATE INDEX lead_keys_of_lead ON lead_keys (lead_id);

--bun:split

CREATE TABLE anchors (
  id               {{.Int}} PRIMARY KEY,
  visitor_key_hash {{.Bytes}} UNIQUE,
  lead_id          {{.Int}} REFERENCES leads (id),
  first_lead_id    {{.Int}} REFERENCES leads (id),
  link_provenance  TEXT,
  shared_flag      BOOLEAN NOT NULL,
  status           TEXT NOT NULL,
  created_at       {{.Int}} NOT NULL,
  last_seen_at     {{.Int}} NOT NULL,
  expires_at       {{.Int}}
);

--bun:split

CREATE INDEX anchors_of_lead ON anchors (lead_id) WHERE lead_id IS NOT NULL;

--bun:split

CREATE INDEX anchors_of_first_lead ON anchors (first_lead_id) WHERE first_lead_id IS NOT NULL;

--bun:split

CREATE TABLE submissions (
  id         {{.Int}} PRIMARY KEY,
  lead_id    {{.Int}} NOT NULL REFERENCES leads (id),
  client_id  TEXT NOT NULL,
  anchor_id  {{.Int}} REFERENCES anchors (id),
  session    TEXT,
  form       TEXT NOT NULL,
  identity   {{.Bytes}} NOT NULL,
  fields     {{.Bytes}},
  provenance TEXT NOT NULL,
  at         {{.Int}} NOT NULL,
  UNIQUE (lead_id, client_id)
);

--bun:split

CREATE INDEX submissions_on_anchor ON submissions (anchor_id) WHERE anchor_id IS NOT NULL;

--bun:split

-- Sessions in which somebody submitted whom nobody can name any more.
CREATE TABLE doubtful_sessions (
  anchor_id {{.Int}} NOT NULL REFERENCES anchors (id),
  session   TEXT NOT NULL,
  PRIMARY KEY (anchor_id, session)
);

--bun:split

CREATE TABLE candidates (
  id             {{.Int}} PRIMARY KEY,
  anchor_id      {{.Int}} NOT NULL REFERENCES anchors (id),
  first_lead     {{.Int}} NOT NULL REFERENCES leads (id),
  second_lead    {{.Int}} NOT NULL REFERENCES leads (id),
  submission_id  {{.Int}} NOT NULL REFERENCES submissions (id),
  state          TEXT NOT NULL,
  resolved_by    TEXT,
  at             {{.Int}} NOT NULL
);

--bun:split

CREATE INDEX candidates_on_anchor ON candidates (anchor_id);

--bun:split

-- No foreign keys here: they would lock a row of anchors for every event. The
-- writer holds the anchor when it writes.
CREATE TABLE events (
  anchor_id     {{.Int}} NOT NULL,
  event_id      {{.UUID}} NOT NULL,
  event_name    TEXT,
  session       TEXT,
  occurred_at   {{.Int}} NOT NULL,
  received_at   {{.Int}} NOT NULL,
  clamped       BOOLEAN NOT NULL,
  source        SMALLINT NOT NULL,
  position      SMALLINT NOT NULL,
  kind          TEXT NOT NULL,
  url           TEXT,
  title         TEXT,
  referrer      TEXT,
  campaign      TEXT,
  props         TEXT,
  ownership     SMALLINT NOT NULL,
  lead_id       {{.Int}},
  submission_id {{.Int}}
);

--bun:split

CREATE UNIQUE INDEX events_once ON events (anchor_id, event_id);

--bun:split

CREATE TABLE api_tokens (
  id           TEXT NOT NULL PRIMARY KEY, -- SQLite would take NULL for a key
  token_hash   {{.Bytes}} NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  scopes       TEXT NOT NULL,
  created_at   {{.Int}} NOT NULL,
  last_used_at {{.Int}}
);

--bun:split

{{if .Postgres}}
CREATE FUNCTION never_rewritten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an event is never rewritten' USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER events_never_rewritten BEFORE UPDATE ON events
FOR EACH ROW EXECUTE FUNCTION never_rewritten();

CREATE FUNCTION never_merged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.first_lead_id <> OLD.first_lead_id THEN
    RAISE EXCEPTION 'a first lead is never replaced' USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.lead_id IS NOT NULL AND NEW.lead_id IS DISTINCT FROM OLD.lead_id
     AND (OLD.lead_id IS NOT NULL OR OLD.first_lead_id IS NOT NULL OR OLD.shared_flag)
     AND NEW.link_provenance IS DISTINCT FROM 'manual' THEN
    RAISE EXCEPTION 'an anchor once linked or shared is only re-pointed by a person' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER anchors_never_merged BEFORE UPDATE OF lead_id, first_lead_id ON anchors
FOR EACH ROW EXECUTE FUNCTION never_merged();
{{else}}
CREATE TRIGGER events_never_rewritten BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'an event is never rewritten');
END;

CREATE TRIGGER anchors_first_lead_stays BEFORE UPDATE OF first_lead_id ON anchors
WHEN NEW.first_lead_id <> OLD.first_lead_id
BEGIN
  SELECT RAISE(ABORT, 'a first lead is never replaced');
END;

CREATE TRIGGER anchors_never_merged BEFORE UPDATE OF lead_id ON anchors
WHEN NEW.lead_id IS NOT NULL AND NEW.lead_id IS NOT OLD.lead_id
  AND (OLD.lead_id IS NOT NULL OR OLD.first_lead_id IS NOT NULL OR OLD.shared_flag)
  AND NEW.link_provenance IS NOT 'manual'
BEGIN
  SELECT RAISE(ABORT, 'an anchor once linked or shared is only re-pointed by a person');
END;
{{end}}

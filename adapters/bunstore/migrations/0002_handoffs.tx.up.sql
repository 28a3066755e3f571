-- Tokens that carry a journey to another domain. submission_id may be of a
-- submission that is only set aside, so it refers to nothing.
CREATE TABLE handoffs (
  id            {{.Int}} PRIMARY KEY,
  token_hash    {{.Bytes}} NOT NULL UNIQUE,
  anchor_id     {{.Int}} NOT NULL REFERENCES anchors (id) ON DELETE CASCADE,
  destination   TEXT NOT NULL,
  session       TEXT,
  planted       BOOLEAN NOT NULL,
  claim         TEXT,
  claim_session TEXT,
  submission_id {{.Int}} NOT NULL,
  minted_at     {{.Int}} NOT NULL,
  expires_at    {{.Int}} NOT NULL,
  confirmed_at  {{.Int}}
);

--bun:split

CREATE UNIQUE INDEX handoffs_unbound_once ON handoffs (anchor_id, destination) WHERE claim IS NULL;

--bun:split

CREATE INDEX handoffs_of_anchor ON handoffs (anchor_id);

--bun:split

CREATE INDEX handoffs_by_expiry ON handoffs (expires_at);

--bun:split

-- Which events a handoff carried; they stand with the handoff's anchor.
CREATE TABLE handoff_events (
  handoff_id {{.Int}} NOT NULL REFERENCES handoffs (id) ON DELETE CASCADE,
  event_id   {{.UUID}} NOT NULL,
  PRIMARY KEY (handoff_id, event_id)
);

--bun:split

CREATE INDEX anchors_held ON anchors (expires_at) WHERE status = 'held';

--bun:split

-- The host that a token with the scope handoffs speaks for.
ALTER TABLE api_tokens ADD COLUMN destination TEXT;

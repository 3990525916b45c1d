-- A log for each tenant, in which each row of the trail and each landing is sealed: an RFC 6962 Merkle tree whose entries
-- commit to what the rows say. docs/proof.md says what it proves.
-- Guarantees: an entry is never changed, and its index never given twice (primary key); a row has one entry (unique key). Entries,
-- tiles, size and root of a batch commit together or not at all. A row is sealed when no transaction before its own can
-- still commit one, which its transaction's number says, and no clock: rows commit in another order than they are written.
-- Nothing is added to a request but the number of its transaction, which is the default of a column. No login learns the
-- hidden fields or the salts of hidden fields, and none can write an entry, a tile or a root: it can have what is there sealed.
-- On a live table: a column without a default that reads no row, then its default, for new rows only; rows from before
-- are sealed after the services have a key. Its indexes are made CONCURRENTLY. The release before seals nothing.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plat_ledger_owner') THEN
    CREATE ROLE plat_ledger_owner NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plat_ledger_sealer') THEN
    CREATE ROLE plat_ledger_sealer NOLOGIN;
  END IF;
  GRANT plat_ledger_owner, plat_ledger_sealer TO CURRENT_USER;
END
$$;

CREATE SCHEMA ledger AUTHORIZATION plat_ledger_owner;
COMMENT ON SCHEMA ledger IS
  'The sealed logs, one a tenant. The audit service has rows sealed, signs what is stored, and reads it; the reviews service '
  'reads the entry of a landing. What seals runs as plat_ledger_sealer, which reads all tenants and is granted to nobody.';
GRANT USAGE ON SCHEMA ledger TO plat_audit, plat_reviews, plat_inspector, plat_ledger_sealer;
GRANT USAGE ON SCHEMA audit, reviews, identity TO plat_ledger_owner, plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION tenancy.delete_rows(regclass, uuid, int, text) TO plat_ledger_owner;

SET ROLE plat_identity_owner;
CREATE POLICY sealing ON identity.tenants FOR SELECT TO plat_ledger_sealer USING (true);
GRANT SELECT (tenant_id) ON identity.tenants TO plat_ledger_sealer;
GRANT SELECT (tenant_id, reason) ON identity.closed_tenants TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION identity.open_tenant(), identity.entered_tenant(), identity.entered_operations()
   TO plat_ledger_owner, plat_ledger_sealer;
RESET ROLE;

SET ROLE plat_audit_owner;
ALTER TABLE audit.audit_events ADD COLUMN written_in xid8;
-- squawk-ignore ban-set-default -- the release before names no such column, and its rows take the default too
ALTER TABLE audit.audit_events ALTER COLUMN written_in SET DEFAULT pg_current_xact_id();
CREATE POLICY sealing ON audit.audit_events FOR SELECT TO plat_ledger_sealer USING (true);
CREATE POLICY erasing ON audit.audit_events FOR UPDATE TO plat_ledger_sealer USING (true) WITH CHECK (true);
GRANT SELECT ON audit.audit_events TO plat_ledger_sealer;
GRANT UPDATE (external_user_id, caller_request_id, api_parameters, mcp_tool_parameters, cli_parameters)
   ON audit.audit_events TO plat_ledger_sealer;
GRANT SELECT (tenant_id, audit_event_id, erun_user_id, external_user_id, external_issuer_id, external_org_id, type,
              api_method, api_path, mcp_tool, cli_command, created_at) ON audit.audit_events TO plat_ledger_owner;
GRANT SELECT (written_in) ON audit.audit_events TO plat_inspector;
RESET ROLE;

SET ROLE plat_reviews_owner;
ALTER TABLE reviews.verifications ADD COLUMN written_in xid8;
-- squawk-ignore ban-set-default -- the release before names no such column, and its rows take the default too
ALTER TABLE reviews.verifications ALTER COLUMN written_in SET DEFAULT pg_current_xact_id();
ALTER TABLE reviews.later_contents ADD COLUMN written_in xid8;
-- squawk-ignore ban-set-default -- the release before names no such column, and its rows take the default too
ALTER TABLE reviews.later_contents ALTER COLUMN written_in SET DEFAULT pg_current_xact_id();
CREATE POLICY sealing ON reviews.reviews FOR SELECT TO plat_ledger_sealer USING (true);
CREATE POLICY sealing ON reviews.verifications FOR SELECT TO plat_ledger_sealer USING (true);
CREATE POLICY sealing ON reviews.later_contents FOR SELECT TO plat_ledger_sealer USING (true);
GRANT SELECT (tenant_id, review_id, name, source_branch) ON reviews.reviews TO plat_ledger_owner, plat_ledger_sealer;
GRANT SELECT ON reviews.verifications, reviews.later_contents TO plat_ledger_owner, plat_ledger_sealer;
RESET ROLE;

SET ROLE plat_ledger_owner;

CREATE TABLE ledger.logs (
  tenant_id    uuid PRIMARY KEY,
  origin       text NOT NULL CHECK (origin ~ '^[!-*,-~]{1,255}$'),
  size         bigint NOT NULL DEFAULT 0 CHECK (size >= 0),
  root         bytea NOT NULL DEFAULT sha256('') CHECK (length(root) = 32),
  sealed_at    timestamptz,
  -- Every row of the trail of a transaction before this one is sealed, except those that a rescan has not reached.
  sealed_below xid8 NOT NULL,
  -- The same of landings, which may be sealed further or less far than the trail.
  landed_below xid8 NOT NULL,
  -- The PostgreSQL cluster that gave the numbers of transactions (pg_control_system)
  cluster      bigint NOT NULL,
  -- The last row that a rescan has looked at; NULL if none is under way
  rescanned_at timestamptz,
  rescanned_id uuid,
  -- The last review whose landing a rescan has looked at; NULL if none is under way
  rescanned_review uuid,
  -- Public keys that have an entry
  keys         bytea[] NOT NULL DEFAULT '{}',
  -- The newest signed checkpoint
  note         text,
  note_size    bigint,
  note_keys    bytea[],
  -- Since when entries have been there that no checkpoint has
  unsigned_since timestamptz,
  CHECK (num_nulls(rescanned_at, rescanned_id) IN (0, 2)),
  CHECK (num_nulls(note, note_size, note_keys) IN (0, 3)),
  CHECK (note_size <= size)
);
COMMENT ON TABLE ledger.logs IS
  'One row a tenant''s sealed log: its name, size and root, up to where rows are sealed, and the newest signed checkpoint. '
  'ledger.seal_due and ledger.store_notes write it. Whoever writes a log holds the lock of its row.';

CREATE TABLE ledger.entries (
  tenant_id   uuid NOT NULL,
  leaf_index  bigint NOT NULL CHECK (leaf_index >= 0),
  kind        text NOT NULL CHECK (kind IN ('audit', 'landing', 'key', 'erasure')),
  -- The row of the trail, the review, or the entry's own
  id          uuid NOT NULL,
  -- 1 for the later verdict of a landing
  -- squawk-ignore prefer-bigint-over-smallint -- 0 or 1
  part        smallint NOT NULL DEFAULT 0 CHECK (part IN (0, 1) AND (part = 0 OR kind = 'landing')),
  at          timestamptz NOT NULL,
  open        bytea NOT NULL CHECK (length(open) = 32),
  closed      bytea NOT NULL CHECK (length(closed) = 32),
  -- NULL if the fields were erased
  open_salt   bytea CHECK (length(open_salt) = 16),
  closed_salt bytea CHECK (length(closed_salt) = 16),
  -- Of a key
  public_key  bytea CHECK (length(public_key) = 32),
  CHECK ((kind = 'key') = (public_key IS NOT NULL)),
  PRIMARY KEY (tenant_id, leaf_index),
  UNIQUE (tenant_id, kind, id, part)
);
COMMENT ON TABLE ledger.entries IS
  'One row an entry of a log, with the salts of its two commitments. The fields that it commits to are in the row that it '
  'is about. Only erasing changes an entry: it removes the salts.';

CREATE TABLE ledger.tiles (
  tenant_id  uuid NOT NULL,
  -- squawk-ignore prefer-bigint-over-smallint -- 7 at most, which is more entries than a bigint counts
  level      smallint NOT NULL CHECK (level BETWEEN 0 AND 7),
  tile_index bigint NOT NULL CHECK (tile_index >= 0),
  hashes     bytea NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),
  PRIMARY KEY (tenant_id, level, tile_index)
);
COMMENT ON TABLE ledger.tiles IS
  'The hashes of a log, up to 256 a tile: of the entries at level 0, of each full tile of the level below otherwise.';
-- Hashes cannot be compressed.
ALTER TABLE ledger.tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE TABLE ledger.erasures (
  tenant_id  uuid NOT NULL,
  erasure_id uuid NOT NULL,
  reason     text NOT NULL CHECK (reason IN ('person', 'retention')),
  entries    int8multirange NOT NULL CHECK (NOT isempty(entries)),
  erased_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Whether it has its own entry
  sealed     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, erasure_id)
);
CREATE INDEX erasures_unsealed ON ledger.erasures (tenant_id, erased_at) WHERE NOT sealed;
COMMENT ON TABLE ledger.erasures IS
  'One row an erasure: which entries of a log no longer have their fields, and why. Each becomes an entry itself.';
RESET ROLE;

CALL tenancy.protect('ledger.logs');
CALL tenancy.protect('ledger.entries');
CALL tenancy.protect('ledger.tiles');
CALL tenancy.protect('ledger.erasures');

SET ROLE plat_ledger_owner;
CREATE POLICY sealing ON ledger.logs TO plat_ledger_sealer USING (true) WITH CHECK (true);
CREATE POLICY sealing ON ledger.entries TO plat_ledger_sealer USING (true) WITH CHECK (true);
CREATE POLICY sealing ON ledger.tiles TO plat_ledger_sealer USING (true) WITH CHECK (true);
CREATE POLICY sealing ON ledger.erasures TO plat_ledger_sealer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON ledger.logs, ledger.tiles TO plat_ledger_sealer;
GRANT SELECT, INSERT, UPDATE (open_salt, closed_salt) ON ledger.entries TO plat_ledger_sealer;
GRANT SELECT, INSERT, UPDATE (sealed) ON ledger.erasures TO plat_ledger_sealer;
RESET ROLE;

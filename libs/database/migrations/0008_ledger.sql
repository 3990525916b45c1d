-- The sealed logs: an RFC 6962 Merkle tree for each tenant, whose entries commit to rows of the trail and to landings. An
-- index is never given twice, and a row has one entry. docs/proof.md says what a log proves.

SET ROLE plat_ledger_owner;

CREATE TABLE ledger.logs (
  tenant_id uuid NOT NULL,
  origin text NOT NULL,
  size bigint NOT NULL DEFAULT 0,
  root bytea NOT NULL DEFAULT sha256('\x'::bytea),
  sealed_at timestamptz,
  sealed_below xid8 NOT NULL,
  landed_below xid8 NOT NULL,
  cluster bigint NOT NULL,
  rescanned_at timestamptz,
  rescanned_id uuid,
  rescanned_review uuid,
  keys bytea[] NOT NULL DEFAULT '{}',
  note text,
  note_size bigint,
  note_keys bytea[],
  unsigned_since timestamptz,
  CONSTRAINT logs_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT logs_check CHECK (num_nulls(rescanned_at, rescanned_id) IN (0, 2)),
  CONSTRAINT logs_check1 CHECK (num_nulls(note, note_size, note_keys) IN (0, 3)),
  CONSTRAINT logs_check2 CHECK (note_size <= size),
  CONSTRAINT logs_origin_check CHECK (origin ~ '^[!-*,-~]{1,255}$'),
  CONSTRAINT logs_root_check CHECK (length(root) = 32),
  CONSTRAINT logs_size_check CHECK (size >= 0)
);
COMMENT ON TABLE ledger.logs IS
  'One row for each tenant''s sealed log: its name, size and root, the place up to which rows are sealed, and the '
  'newest signed checkpoint. ledger.seal_due and ledger.store_notes write it. A transaction that writes a log holds '
  'the lock of its row.';

CREATE TABLE ledger.entries (
  tenant_id uuid NOT NULL,
  leaf_index bigint NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  part smallint NOT NULL DEFAULT 0,
  at timestamptz NOT NULL,
  open bytea NOT NULL,
  closed bytea NOT NULL,
  open_salt bytea,
  closed_salt bytea,
  public_key bytea,
  CONSTRAINT entries_pkey PRIMARY KEY (tenant_id, leaf_index),
  CONSTRAINT entries_tenant_id_kind_id_part_key UNIQUE (tenant_id, kind, id, part),
  CONSTRAINT entries_check CHECK (part IN (0, 1) AND (part = 0 OR kind = 'landing')),
  CONSTRAINT entries_check1 CHECK ((kind = 'key') = (public_key IS NOT NULL)),
  CONSTRAINT entries_closed_check CHECK (length(closed) = 32),
  CONSTRAINT entries_closed_salt_check CHECK (length(closed_salt) = 16),
  CONSTRAINT entries_kind_check CHECK (kind IN ('audit', 'landing', 'key', 'erasure')),
  CONSTRAINT entries_leaf_index_check CHECK (leaf_index >= 0),
  CONSTRAINT entries_open_check CHECK (length(open) = 32),
  CONSTRAINT entries_open_salt_check CHECK (length(open_salt) = 16),
  CONSTRAINT entries_public_key_check CHECK (length(public_key) = 32)
);
COMMENT ON TABLE ledger.entries IS
  'One row for each entry of a log, with the salts of its two commitments. The fields to which it commits are in the '
  'row that it names. Only an erasure changes an entry: it removes the salts.';
CREATE INDEX entries_of_kind ON ledger.entries (tenant_id, kind, leaf_index);

CREATE TABLE ledger.tiles (
  tenant_id uuid NOT NULL,
  level smallint NOT NULL,
  tile_index bigint NOT NULL,
  hashes bytea NOT NULL,
  CONSTRAINT tiles_pkey PRIMARY KEY (tenant_id, level, tile_index),
  CONSTRAINT tiles_hashes_check
    CHECK ((length(hashes) >= 32 AND length(hashes) <= 8192) AND ((length(hashes) % 32) = 0)),
  CONSTRAINT tiles_level_check CHECK (level >= 0 AND level <= 7),
  CONSTRAINT tiles_tile_index_check CHECK (tile_index >= 0)
);
COMMENT ON TABLE ledger.tiles IS
  'The hashes of a log, up to 256 in a tile. Those at level 0 are of the entries, those at a higher level of the full '
  'tiles below.';

CREATE TABLE ledger.erasures (
  tenant_id uuid NOT NULL,
  erasure_id uuid NOT NULL,
  reason text NOT NULL,
  entries int8multirange NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  sealed boolean NOT NULL DEFAULT false,
  CONSTRAINT erasures_pkey PRIMARY KEY (tenant_id, erasure_id),
  CONSTRAINT erasures_entries_check CHECK (NOT isempty(entries)),
  CONSTRAINT erasures_reason_check CHECK (reason IN ('person', 'retention'))
);
COMMENT ON TABLE ledger.erasures IS
  'One row for each erasure: the entries of a log that no longer have their fields, and the reason. Each becomes an '
  'entry itself.';
CREATE INDEX erasures_unsealed ON ledger.erasures (tenant_id, erased_at) WHERE NOT sealed;

RESET ROLE;

CALL tenancy.protect('ledger.logs');
CREATE POLICY sealing ON ledger.logs TO plat_ledger_sealer USING (true) WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON ledger.logs TO plat_ledger_sealer;

CALL tenancy.protect('ledger.entries');
CREATE POLICY sealing ON ledger.entries TO plat_ledger_sealer USING (true) WITH CHECK (true);
GRANT INSERT, SELECT ON ledger.entries TO plat_ledger_sealer;
GRANT UPDATE (open_salt, closed_salt) ON ledger.entries TO plat_ledger_sealer;

CALL tenancy.protect('ledger.tiles');
CREATE POLICY sealing ON ledger.tiles TO plat_ledger_sealer USING (true) WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON ledger.tiles TO plat_ledger_sealer;

CALL tenancy.protect('ledger.erasures');
CREATE POLICY sealing ON ledger.erasures TO plat_ledger_sealer USING (true) WITH CHECK (true);
GRANT INSERT, SELECT ON ledger.erasures TO plat_ledger_sealer;
GRANT UPDATE (sealed) ON ledger.erasures TO plat_ledger_sealer;

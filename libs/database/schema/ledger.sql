-- The schema ledger after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- The sealed logs, one a tenant. The audit service has rows sealed, signs what is stored, and reads it; the reviews
-- service reads the entry of a landing. What seals runs as plat_ledger_sealer, which reads all tenants and is granted
-- to nobody.
CREATE SCHEMA ledger AUTHORIZATION plat_ledger_owner;
GRANT USAGE ON SCHEMA ledger TO plat_audit;
GRANT USAGE ON SCHEMA ledger TO plat_audit_owner;
GRANT USAGE ON SCHEMA ledger TO plat_inspector;
GRANT USAGE ON SCHEMA ledger TO plat_ledger_sealer;
GRANT USAGE ON SCHEMA ledger TO plat_reviews;

-- One row a tenant's sealed log: its name, size and root, up to where rows are sealed, and the newest signed
-- checkpoint. ledger.seal_due and ledger.store_notes write it. Whoever writes a log holds the lock of its row.
CREATE TABLE ledger.logs (
  tenant_id uuid NOT NULL,
  origin text NOT NULL,
  size bigint NOT NULL DEFAULT 0,
  root bytea NOT NULL DEFAULT sha256('\x'::bytea),
  sealed_at timestamp with time zone,
  sealed_below xid8 NOT NULL,
  landed_below xid8 NOT NULL,
  cluster bigint NOT NULL,
  rescanned_at timestamp with time zone,
  rescanned_id uuid,
  rescanned_review uuid,
  keys bytea[] NOT NULL DEFAULT '{}'::bytea[],
  note text,
  note_size bigint,
  note_keys bytea[],
  unsigned_since timestamp with time zone,
  CONSTRAINT logs_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT logs_check CHECK ((num_nulls(rescanned_at, rescanned_id) = ANY (ARRAY[0, 2]))),
  CONSTRAINT logs_check1 CHECK ((num_nulls(note, note_size, note_keys) = ANY (ARRAY[0, 3]))),
  CONSTRAINT logs_check2 CHECK ((note_size <= size)),
  CONSTRAINT logs_origin_check CHECK ((origin ~ '^[!-*,-~]{1,255}$'::text)),
  CONSTRAINT logs_root_check CHECK ((length(root) = 32)),
  CONSTRAINT logs_size_check CHECK ((size >= 0))
);

-- One row an entry of a log, with the salts of its two commitments. The fields that it commits to are in the row that
-- it is about. Only erasing changes an entry: it removes the salts.
CREATE TABLE ledger.entries (
  tenant_id uuid NOT NULL,
  leaf_index bigint NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  part smallint NOT NULL DEFAULT 0,
  at timestamp with time zone NOT NULL,
  open bytea NOT NULL,
  closed bytea NOT NULL,
  open_salt bytea,
  closed_salt bytea,
  public_key bytea,
  CONSTRAINT entries_pkey PRIMARY KEY (tenant_id, leaf_index),
  CONSTRAINT entries_tenant_id_kind_id_part_key UNIQUE (tenant_id, kind, id, part),
  CONSTRAINT entries_check CHECK (((part = ANY (ARRAY[0, 1])) AND ((part = 0) OR (kind = 'landing'::text)))),
  CONSTRAINT entries_check1 CHECK (((kind = 'key'::text) = (public_key IS NOT NULL))),
  CONSTRAINT entries_closed_check CHECK ((length(closed) = 32)),
  CONSTRAINT entries_closed_salt_check CHECK ((length(closed_salt) = 16)),
  CONSTRAINT entries_kind_check CHECK ((kind = ANY (ARRAY['audit'::text, 'landing'::text, 'key'::text, 'erasure'::text]))),
  CONSTRAINT entries_leaf_index_check CHECK ((leaf_index >= 0)),
  CONSTRAINT entries_open_check CHECK ((length(open) = 32)),
  CONSTRAINT entries_open_salt_check CHECK ((length(open_salt) = 16)),
  CONSTRAINT entries_public_key_check CHECK ((length(public_key) = 32))
);

-- The hashes of a log, up to 256 a tile: of the entries at level 0, of each full tile of the level below otherwise.
CREATE TABLE ledger.tiles (
  tenant_id uuid NOT NULL,
  level smallint NOT NULL,
  tile_index bigint NOT NULL,
  hashes bytea NOT NULL,
  CONSTRAINT tiles_pkey PRIMARY KEY (tenant_id, level, tile_index),
  CONSTRAINT tiles_hashes_check CHECK ((((length(hashes) >= 32) AND (length(hashes) <= 8192)) AND ((length(hashes) % 32) = 0))),
  CONSTRAINT tiles_level_check CHECK (((level >= 0) AND (level <= 7))),
  CONSTRAINT tiles_tile_index_check CHECK ((tile_index >= 0))
);

-- One row an erasure: which entries of a log no longer have their fields, and why. Each becomes an entry itself.
CREATE TABLE ledger.erasures (
  tenant_id uuid NOT NULL,
  erasure_id uuid NOT NULL,
  reason text NOT NULL,
  entries int8multirange NOT NULL,
  erased_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  sealed boolean NOT NULL DEFAULT false,
  CONSTRAINT erasures_pkey PRIMARY KEY (tenant_id, erasure_id),
  CONSTRAINT erasures_entries_check CHECK ((NOT isempty(entries))),
  CONSTRAINT erasures_reason_check CHECK ((reason = ANY (ARRAY['person'::text, 'retention'::text])))
);

CREATE INDEX entries_of_kind ON ledger.entries USING btree (tenant_id, kind, leaf_index);
CREATE INDEX erasures_unsealed ON ledger.erasures USING btree (tenant_id, erased_at) WHERE (NOT sealed);

ALTER TABLE ledger.logs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON ledger.logs FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON ledger.logs FOR SELECT TO plat_ledger_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY sealing ON ledger.logs TO plat_ledger_sealer USING (true) WITH CHECK (true);
CREATE POLICY tenant ON ledger.logs USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE ledger.entries ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON ledger.entries FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON ledger.entries FOR SELECT TO plat_ledger_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY sealing ON ledger.entries TO plat_ledger_sealer USING (true) WITH CHECK (true);
CREATE POLICY tenant ON ledger.entries USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE ledger.tiles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON ledger.tiles FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON ledger.tiles FOR SELECT TO plat_ledger_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY sealing ON ledger.tiles TO plat_ledger_sealer USING (true) WITH CHECK (true);
CREATE POLICY tenant ON ledger.tiles USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE ledger.erasures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON ledger.erasures FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON ledger.erasures FOR SELECT TO plat_ledger_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY sealing ON ledger.erasures TO plat_ledger_sealer USING (true) WITH CHECK (true);
CREATE POLICY tenant ON ledger.erasures USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

-- Adds the hashes of new entries to the tiles of a log, and of each tile that has become full to the level above.
-- ledger.seal_log calls it.
CREATE OR REPLACE FUNCTION ledger.add_hashes(tenant uuid, first bigint, added bytea)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  lvl   smallint := 0;
  start bigint := first;
  -- How many hashes of the level there are afterwards
  past  bigint;
BEGIN
  WHILE length(added) > 0
  LOOP
    past := start + length(added) / 32;
    INSERT INTO ledger.tiles AS t (tenant_id, level, tile_index, hashes)
    SELECT tenant, lvl, i, substr(added, ((greatest(start, i * 256) - start) * 32 + 1)::int,
                                  ((least(past, (i + 1) * 256) - greatest(start, i * 256)) * 32)::int)
      FROM generate_series(start / 256, (past - 1) / 256) AS i
    ON CONFLICT (tenant_id, level, tile_index) DO UPDATE SET hashes = t.hashes || excluded.hashes;
    -- Each tile that has become full is one hash of the level above.
    SELECT coalesce(string_agg(ledger.fold(t.hashes), ''::bytea ORDER BY t.tile_index), ''::bytea) INTO added
      FROM ledger.tiles t
     WHERE t.tenant_id = tenant AND t.level = lvl AND t.tile_index >= start / 256 AND t.tile_index < past / 256;
    start := start / 256;
    lvl := lvl + 1;
  END LOOP;
END
$function$;

-- Adds the log of a tenant, in which everything is to be looked through, unless it is there or another transaction is
-- adding it. ledger.seal_log calls it.
CREATE OR REPLACE FUNCTION ledger.add_log(tenant uuid, host text)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '50ms'
AS $function$
BEGIN
  INSERT INTO ledger.logs (tenant_id, origin, sealed_below, landed_below, cluster, rescanned_at, rescanned_id, rescanned_review)
  SELECT tenant, host || '/log/' || tenant, h.horizon, h.horizon, ledger.cluster(), '-infinity', n.id, n.id
    FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) AS h,
         (SELECT '00000000-0000-0000-0000-000000000000'::uuid AS id) AS n
  ON CONFLICT DO NOTHING;
EXCEPTION WHEN lock_not_available THEN
  NULL;
END
$function$;

-- Returns the entries whose row of the trail, or landing, is gone or says something else than was sealed, hidden
-- fields included. Operators ask it by npm run invariants.
CREATE OR REPLACE FUNCTION ledger.altered_entries()
 RETURNS TABLE(tenant_id uuid, leaf_index bigint, fault text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT x.tenant_id, x.leaf_index,
         CASE WHEN e.audit_event_id IS NULL THEN 'its row is gone' ELSE 'its row is not what was sealed' END
    FROM ledger.entries x
    LEFT JOIN audit.audit_events e
      ON e.tenant_id = x.tenant_id AND e.created_at = x.at AND e.audit_event_id = x.id
   WHERE x.kind = 'audit' AND x.open_salt IS NOT NULL
     AND (e.audit_event_id IS NULL
       OR x.open <> ledger.open_of(e, x.open_salt)
       OR x.closed <> ledger.commitment(x.closed_salt, ledger.hidden_audit_fields(e)))
   UNION ALL
  SELECT x.tenant_id, x.leaf_index,
         CASE WHEN l.review_id IS NULL THEN 'its landing is gone' ELSE 'its landing is not what was sealed' END
    FROM ledger.logs g
   CROSS JOIN LATERAL (SELECT * FROM ledger.entries n WHERE n.tenant_id = g.tenant_id AND n.kind = 'landing') AS x
    LEFT JOIN LATERAL (SELECT * FROM ledger.landings(g.tenant_id) s
                        WHERE s.review_id = x.id AND s.part = x.part) AS l ON true
   WHERE x.open_salt IS NOT NULL
     AND (l.review_id IS NULL OR x.open <> ledger.commitment(x.open_salt, l.fields)
       OR x.closed <> ledger.commitment(x.closed_salt, l.hidden))
   UNION ALL
  SELECT x.tenant_id, x.leaf_index, 'its fields are withheld, and no erasure names it' FROM ledger.entries x
   WHERE x.open_salt IS NULL
     AND NOT EXISTS (SELECT FROM ledger.erasures r WHERE r.tenant_id = x.tenant_id AND r.entries @> x.leaf_index)
$function$;

-- Returns the logs whose entries, tiles, size, root and checkpoint do not fit together. Operators ask it by npm run
-- invariants.
CREATE OR REPLACE FUNCTION ledger.altered_logs()
 RETURNS TABLE(tenant_id uuid, fault text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT l.tenant_id, 'its root is not that of its tiles' FROM ledger.logs l WHERE l.root <> ledger.root_of(l.tenant_id, l.size)
   UNION ALL
  SELECT l.tenant_id, 'it has not as many entries as its size says' FROM ledger.logs l
   WHERE l.size <> (SELECT count(*) FROM ledger.entries x WHERE x.tenant_id = l.tenant_id)
   UNION ALL
  SELECT t.tenant_id, 'a tile is not that of its entries' FROM ledger.tiles t
   WHERE t.level = 0 AND t.hashes IS DISTINCT FROM (
     SELECT string_agg(sha256('\x00'::bytea || convert_to(ledger.leaf(x.kind, x.id, x.at, x.open, x.closed), 'UTF8')),
                       ''::bytea ORDER BY x.leaf_index)
       FROM ledger.entries x WHERE x.tenant_id = t.tenant_id AND x.leaf_index >= t.tile_index * 256
        AND x.leaf_index < (t.tile_index + 1) * 256)
   UNION ALL
  SELECT l.tenant_id, 'a tile is missing, or one is too many' FROM ledger.logs l
   WHERE (l.size + 255) / 256 <> (SELECT count(*) FROM ledger.tiles t WHERE t.tenant_id = l.tenant_id AND t.level = 0)
   UNION ALL
  SELECT b.tenant_id, 'a hash of a tile is not that of the tile below it' FROM ledger.tiles b
    LEFT JOIN ledger.tiles u ON u.tenant_id = b.tenant_id AND u.level = b.level + 1 AND u.tile_index = b.tile_index / 256
   WHERE length(b.hashes) = 8192
     AND ledger.fold(b.hashes) IS DISTINCT FROM substr(u.hashes, (b.tile_index % 256)::int * 32 + 1, 32)
   UNION ALL
  SELECT l.tenant_id, 'its checkpoint is not of its first entries' FROM ledger.logs l
   WHERE l.note IS NOT NULL
     AND (l.note_size > l.size
       OR NOT starts_with(l.note, ledger.checkpoint_text(l.origin, l.note_size, ledger.root_of(l.tenant_id, l.note_size))))
$function$;

-- Returns the fields of a row of the trail that GET /v1/audit-events shows, as canonical JSON. What seals and what
-- reads entries call it.
CREATE OR REPLACE FUNCTION ledger.audit_fields(tenant uuid, event uuid, usr uuid, subject text, issuer text, org text, type text, method text, path text, tool text, command text, at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN (('{'::text || concat_ws(','::text, ('"apiMethod":'::text || (to_json(CASE WHEN (type <> 'MCP'::text) THEN method ELSE NULL::text END))::text), ('"apiPath":'::text || (to_json(CASE WHEN (type <> 'MCP'::text) THEN path ELSE NULL::text END))::text), (('"auditEventId":"'::text || event) || '"'::text), ('"cliCommand":'::text || (to_json(command))::text), (('"createdAt":"'::text || ledger.shown_instant(at)) || '"'::text), (('"erunUserId":"'::text || usr) || '"'::text), ('"externalIssuerId":'::text || (to_json(issuer))::text), ('"externalOrgId":'::text || (to_json(org))::text), ('"externalUserId":'::text || (to_json(subject))::text), ('"mcpTool":'::text || (to_json(tool))::text), (('"tenantId":"'::text || tenant) || '"'::text), (('"type":"'::text || type) || '"'::text))) || '}'::text);

-- Returns what the signed checkpoint of a log begins with: its text (C2SP tlog-checkpoint) and the empty line before
-- the signatures. What stores checkpoints, and what looks for altered logs, calls it.
CREATE OR REPLACE FUNCTION ledger.checkpoint_text(origin text, size bigint, root bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN (((((origin || '
'::text) || size) || '
'::text) || encode(root, 'base64'::text)) || '

'::text);

-- Returns which PostgreSQL cluster this is. Numbers of transactions mean something within one only. What seals calls
-- it.
CREATE OR REPLACE FUNCTION ledger.cluster()
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN (SELECT c.system_identifier FROM pg_control_system() c(pg_control_version, catalog_version_no, system_identifier, pg_control_last_modified));

-- Returns the SHA-256 of a salt and the fields after it. What seals calls it.
CREATE OR REPLACE FUNCTION ledger.commitment(salt bytea, fields text)
 RETURNS bytea
 LANGUAGE sql
 STABLE
RETURN sha256((salt || convert_to(fields, 'UTF8'::name)));

-- Returns the fields that an entry commits to and that callers may see, as canonical JSON; NULL if they were erased
-- or are gone. What reads entries calls it.
CREATE OR REPLACE FUNCTION ledger.disclosed(x ledger.entries)
 RETURNS TABLE(fields text)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE
    WHEN (x).open_salt IS NULL THEN NULL
    WHEN (x).kind = 'audit' THEN (
      SELECT ledger.audit_fields(e.tenant_id, e.audit_event_id, e.erun_user_id, e.external_user_id, e.external_issuer_id,
               e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool, e.cli_command, e.created_at)
        FROM audit.audit_events e
       WHERE e.tenant_id = (x).tenant_id AND e.created_at = (x).at AND e.audit_event_id = (x).id)
    WHEN (x).kind = 'landing' THEN (
      SELECT l.fields FROM ledger.landings((x).tenant_id) l WHERE l.review_id = (x).id AND l.part = (x).part)
    WHEN (x).kind = 'key' THEN ledger.key_fields((x).public_key)
    ELSE (
      SELECT ledger.erasure_fields(r.entries, r.reason) FROM ledger.erasures r
       WHERE r.tenant_id = (x).tenant_id AND r.erasure_id = (x).id)
  END
  -- Keeps the fields from being made once for each place that names them.
  OFFSET 0
$function$;

-- Erases a user's subject and arguments from the rows of the trail, and the salts of the entries of these rows, and
-- returns how many entries that were. The user's id stays. npm run db -- erase-user calls it.
CREATE OR REPLACE FUNCTION ledger.erase_user(tenant uuid, usr uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  erased int8multirange;
BEGIN
  -- Waits for a sealer, so that no row is sealed as it was while its fields are removed.
  PERFORM ledger.lock_log(tenant);
  UPDATE audit.audit_events e
     SET external_user_id = 'erased', caller_request_id = NULL, api_parameters = NULL, mcp_tool_parameters = NULL,
         cli_parameters = NULL
   WHERE e.tenant_id = tenant AND e.erun_user_id = usr AND e.external_user_id <> 'erased';
  WITH gone AS (
    UPDATE ledger.entries x SET open_salt = NULL, closed_salt = NULL
      FROM audit.audit_events e
     WHERE e.tenant_id = tenant AND e.erun_user_id = usr AND x.tenant_id = e.tenant_id AND x.kind = 'audit'
       AND x.id = e.audit_event_id AND x.part = 0 AND x.open_salt IS NOT NULL
       AND x.open <> ledger.open_of(e, x.open_salt)
    RETURNING x.leaf_index)
  SELECT range_agg(int8range(g.leaf_index, g.leaf_index + 1)) INTO erased FROM gone g;
  IF erased IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries) VALUES (tenant, gen_random_uuid(), 'person', erased);
  RETURN (SELECT sum(upper(r) - lower(r)) FROM unnest(erased) AS r);
END
$function$;

-- Returns what the entry of an erasure commits to, as canonical JSON. What seals and what reads entries call it.
CREATE OR REPLACE FUNCTION ledger.erasure_fields(entries int8multirange, reason text)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN (((('{"entries":"'::text || (SELECT string_agg((lower(r.stretch) || CASE WHEN ((upper(r.stretch) - lower(r.stretch)) > 1) THEN ('-'::text || (upper(r.stretch) - 1)) ELSE ''::text END), ','::text ORDER BY (lower(r.stretch))) AS string_agg FROM unnest(erasure_fields.entries) r(stretch))) || '","reason":"'::text) || reason) || '"}'::text);

-- Returns how many of a tenant's rows, named by their ids and times, have no entry although they are to have one, and
-- how many have one whose fields were not erased. audit.examine_partition calls it.
CREATE OR REPLACE FUNCTION ledger.examine_pruned(tenant uuid, ids uuid[], times timestamp with time zone[], OUT unsealed integer, OUT unmarked integer)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT count(*) FILTER (WHERE x.at IS NULL AND EXISTS (SELECT FROM ledger.logs) AND NOT EXISTS (
           SELECT FROM identity.closed_tenants c WHERE c.tenant_id = tenant AND c.reason <> 'disabled')),
         count(*) FILTER (WHERE x.at = g.at AND x.has_fields)
    FROM unnest(ids, times) AS g (id, at)
    LEFT JOIN LATERAL (
      SELECT n.at, n.open_salt IS NOT NULL AS has_fields FROM ledger.entries n
       WHERE n.tenant_id = tenant AND n.kind = 'audit' AND n.id = g.id AND n.part = 0 OFFSET 0) AS x ON true
$function$;

-- Returns, over all tenants, how many logs there are, how many rows of the trail are not sealed (10000 a tenant at
-- most), the age in seconds of the oldest row, landing or erasure that is not, how many logs are catching up with
-- rows from before, and for how long the stored size of a log has been unsigned. The audit service shows it at
-- /metrics.
CREATE OR REPLACE FUNCTION ledger.figures(OUT logs bigint, OUT waiting bigint, OUT oldest_seconds double precision, OUT catching_up bigint, OUT unsigned_seconds double precision)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT count(l.tenant_id), coalesce(sum(w.rows), 0)::bigint,
         coalesce(max(extract(epoch FROM clock_timestamp() - CASE WHEN l.tenant_id IS NULL
           THEN (SELECT e.created_at FROM audit.audit_events e
                  WHERE e.tenant_id = t.tenant_id AND e.written_in >= '0' ORDER BY e.written_in LIMIT 1)
           ELSE least(w.oldest, d.oldest, r.oldest) END)), 0)::double precision,
         count(*) FILTER (WHERE l.rescanned_at IS NOT NULL OR l.rescanned_review IS NOT NULL
                             OR l.cluster <> (SELECT ledger.cluster())),
         coalesce(max(extract(epoch FROM clock_timestamp() - l.unsigned_since)), 0)::double precision
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   CROSS JOIN LATERAL (
     SELECT count(*) AS rows, min(n.created_at) AS oldest
       FROM (SELECT e.created_at FROM audit.audit_events e
              -- A number of a transaction that is larger than all of this cluster's is another one's: a rescan finds its row.
              WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below
                AND e.written_in < pg_snapshot_xmax(pg_current_snapshot()) AND l.cluster = (SELECT ledger.cluster())
                AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                                   AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0)
              ORDER BY e.written_in LIMIT 10000) AS n) AS w
   CROSS JOIN LATERAL (
     SELECT min(n.at) AS oldest
       FROM (SELECT u.at FROM ledger.unsealed_landings(t.tenant_id, l.landed_below) u
              WHERE l.cluster = (SELECT ledger.cluster()) LIMIT 10000) AS n) AS d
   CROSS JOIN LATERAL (
     SELECT min(n.erased_at) AS oldest FROM ledger.erasures n WHERE n.tenant_id = t.tenant_id AND NOT n.sealed) AS r
   WHERE NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
$function$;

-- Returns the RFC 6962 root of up to 256 neighbouring hashes. ledger.add_hashes and ledger.root_of call it.
CREATE OR REPLACE FUNCTION ledger.fold(hashes bytea)
 RETURNS bytea
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
DECLARE
  width int := length(hashes) / 32;
BEGIN
  -- A last node without a neighbour goes up as it is, which is RFC 6962's split at the largest power of two.
  WHILE width > 1
  LOOP
    hashes := (SELECT string_agg(sha256('\x01'::bytea || substr(hashes, i * 64 + 1, 64)), ''::bytea ORDER BY i)
                 FROM generate_series(0, width / 2 - 1) AS i)
              || CASE WHEN width % 2 = 1 THEN substr(hashes, (width - 1) * 32 + 1) ELSE ''::bytea END;
    width := (width + 1) / 2;
  END LOOP;
  RETURN hashes;
END
$function$;

-- Returns the log of the entered tenant as it is signed, the keys that have signed it, and all of its keys, oldest
-- first; no row before it is signed for the first time. The audit service calls it for the routes of the log.
CREATE OR REPLACE FUNCTION ledger.get_log(tenant uuid)
 RETURNS TABLE(origin text, size text, note text, note_keys bytea[], keys bytea[], sealed_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT l.origin, l.note_size::text, l.note, l.note_keys, l.keys, l.sealed_at FROM ledger.logs l
   WHERE l.tenant_id = tenant AND l.note IS NOT NULL
$function$;

-- Returns a tile of the entered tenant's log, if it exists. The audit service calls it for GET /v1/audit-log/tile.
CREATE OR REPLACE FUNCTION ledger.get_tile(tenant uuid, wanted_level integer, wanted_index bigint)
 RETURNS TABLE(hashes bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.hashes FROM ledger.tiles t
   WHERE t.tenant_id = tenant AND t.level = wanted_level AND t.tile_index = wanted_index
$function$;

-- Returns the fields of a row of the trail that no route shows, as canonical JSON; arguments as the text of their
-- JSON. What seals and ledger.altered_entries call it.
CREATE OR REPLACE FUNCTION ledger.hidden_audit_fields(e audit.audit_events)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN (('{'::text || concat_ws(','::text, ('"apiMethod":'::text || (to_json(CASE WHEN ((e).type = 'MCP'::text) THEN (e).api_method ELSE NULL::text END))::text), ('"apiParameters":'::text || (to_json(((e).api_parameters)::text))::text), ('"apiPath":'::text || (to_json(CASE WHEN ((e).type = 'MCP'::text) THEN (e).api_path ELSE NULL::text END))::text), ('"callerRequestId":'::text || (to_json((e).caller_request_id))::text), ('"cliParameters":'::text || (to_json(((e).cli_parameters)::text))::text), ('"mcpToolParameters":'::text || (to_json(((e).mcp_tool_parameters)::text))::text), ('"requestId":'::text || (to_json((e).request_id))::text))) || '}'::text);

-- Returns a moment in RFC 3339, UTC, with six digits of its second. ledger.leaf calls it.
CREATE OR REPLACE FUNCTION ledger.instant(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN to_char((moment AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text);

-- Returns what the entry of a key commits to, as canonical JSON. What seals and what reads entries call it.
CREATE OR REPLACE FUNCTION ledger.key_fields(public_key bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN (('{"algorithm":"Ed25519","publicKey":"'::text || encode(public_key, 'base64'::text)) || '"}'::text);

-- Returns the statements of a tenant's merge receipts as canonical JSON, each as it was at the merge (part 0), and as
-- it is since a later verdict (part 1), with the fields that no receipt shows. What seals and what reads entries call
-- it.
CREATE OR REPLACE FUNCTION ledger.landings(tenant uuid)
 RETURNS TABLE(review_id uuid, part smallint, at timestamp with time zone, written_in xid8, fields text, hidden text)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT v.review_id, p.part, p.at, p.written_in,
    '{' || concat_ws(',',
      '"anchorCommitId":' || to_json(v.anchor_commit_id)::text,
      '"buildId":"' || v.build_id || '"',
      '"builtOnCommitId":' || to_json(coalesce(l.built_on_commit_id, v.built_on_commit_id))::text,
      '"commitId":' || to_json(coalesce(v.commit_id, l.commit_id))::text,
      '"conditions":' || to_json(v.conditions)::text,
      '"contentJudgedAt":"' || ledger.shown_instant(l.created_at) || '"',
      '"contentReason":' || to_json(CASE WHEN l.review_id IS NULL THEN v.content_reason ELSE l.content_reason END)::text,
      '"contentVerdict":' || to_json(coalesce(l.content_verdict, v.content_verdict))::text,
      '"findings":' || f.listed,
      '"findingsLeftOut":' || CASE WHEN f.listed IS NOT NULL
        THEN nullif(coalesce(l.content_findings_left_out, v.content_findings_left_out), 0)::text END,
      '"landedCommitId":' || to_json(coalesce(l.landed_commit_id, v.landed_commit_id))::text,
      '"name":' || to_json(r.name)::text,
      '"parentCommitId":' || to_json(coalesce(v.parent_commit_id, l.parent_commit_id))::text,
      '"remoteUrl":' || to_json(v.remote_url)::text,
      '"reviewId":"' || v.review_id || '"',
      '"route":' || to_json(v.route)::text,
      '"sourceBranch":' || to_json(r.source_branch)::text,
      '"sourceTip":' || to_json(coalesce(v.source_tip, l.source_tip))::text,
      '"statementVersion":' || CASE WHEN l.review_id IS NULL THEN v.statement_version ELSE 2 END,
      '"targetBranch":' || to_json(v.target_branch)::text,
      '"targetTip":' || to_json(v.target_tip)::text,
      '"tenantId":"' || v.tenant_id || '"',
      '"treeId":' || to_json(coalesce(v.tree_id, l.tree_id))::text,
      '"verifiedAt":"' || ledger.shown_instant(v.created_at) || '"') || '}',
    '{' || concat_ws(',',
      '"releaseError":' || to_json(v.release_error)::text,
      '"repository":' || to_json(v.repository)::text) || '}'
    FROM reviews.verifications v
    JOIN reviews.reviews r ON r.tenant_id = v.tenant_id AND r.review_id = v.review_id
   CROSS JOIN LATERAL (
     SELECT 0::smallint AS part, v.created_at AS at, v.written_in
      UNION ALL
     SELECT 1::smallint, c.created_at, c.written_in FROM reviews.later_contents c
      WHERE c.tenant_id = v.tenant_id AND c.review_id = v.review_id) AS p
    LEFT JOIN reviews.later_contents l ON l.tenant_id = v.tenant_id AND l.review_id = v.review_id AND p.part = 1
   CROSS JOIN LATERAL (
     SELECT '[' || string_agg('{' || concat_ws(',',
              '"firstLine":' || (i.finding -> 'firstLine')::text, '"in":' || to_json(i.finding ->> 'in')::text,
              '"kind":' || to_json(i.finding ->> 'kind')::text, '"lastLine":' || (i.finding -> 'lastLine')::text,
              '"path":' || to_json(i.finding ->> 'path')::text) || '}', ',' ORDER BY i.place) || ']' AS listed
       FROM jsonb_array_elements(coalesce(l.content_findings, v.content_findings))
            WITH ORDINALITY AS i (finding, place)) AS f
   WHERE v.tenant_id = tenant
$function$;

-- Returns the rows of the trail and the landings that are older than so many seconds and not sealed, in logs that
-- have caught up, and such erasures. Operators ask it by npm run invariants.
CREATE OR REPLACE FUNCTION ledger.late_rows(after_seconds double precision)
 RETURNS TABLE(tenant_id uuid, kind text, id uuid, at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH logs AS (
    SELECT l.*, clock_timestamp() - make_interval(secs => after_seconds) AS due FROM ledger.logs l
     WHERE l.cluster = (SELECT ledger.cluster())
       AND NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = l.tenant_id AND c.reason <> 'disabled'))
  -- Whatever transaction a row or a landing names, and a row with its time: whoever put it in by hand may have named another's.
  SELECT e.tenant_id, 'audit', e.audit_event_id, e.created_at
    FROM logs l
    JOIN audit.audit_events e ON e.tenant_id = l.tenant_id AND e.created_at < l.due
   WHERE l.rescanned_at IS NULL
     AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                        AND x.id = e.audit_event_id AND x.part = 0 AND x.at = e.created_at)
   UNION ALL
  SELECT l.tenant_id, 'landing', w.review_id, w.created_at
    FROM logs l
    JOIN (SELECT v.tenant_id, v.review_id, 0::smallint AS part, v.created_at FROM reviews.verifications v
           UNION ALL
          SELECT c.tenant_id, c.review_id, 1::smallint, c.created_at FROM reviews.later_contents c) AS w
      ON w.tenant_id = l.tenant_id AND w.created_at < l.due
   WHERE l.rescanned_review IS NULL
     AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = w.tenant_id AND x.kind = 'landing'
                        AND x.id = w.review_id AND x.part = w.part)
   UNION ALL
  SELECT r.tenant_id, 'erasure', r.erasure_id, r.erased_at
    FROM logs l JOIN ledger.erasures r ON r.tenant_id = l.tenant_id AND r.erased_at < l.due
   WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = r.tenant_id AND x.kind = 'erasure'
                        AND x.id = r.erasure_id AND x.part = 0 OFFSET 0)
$function$;

-- Returns an entry of a log as it is hashed: canonical JSON (RFC 8785). What seals and what reads entries call it.
CREATE OR REPLACE FUNCTION ledger.leaf(kind text, id uuid, at timestamp with time zone, open bytea, closed bytea)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN (((((((((('{"at":"'::text || ledger.instant(at)) || '","closed":"'::text) || encode(closed, 'base64'::text)) || '","id":"'::text) || id) || '","kind":"'::text) || kind) || '","open":"'::text) || encode(open, 'base64'::text)) || '","v":1}'::text);

-- Waits for the lock of a tenant's log, and holds it until the transaction ends, also if there is no log yet. What
-- erases calls it.
CREATE OR REPLACE FUNCTION ledger.lock_log(tenant uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE;
  IF NOT FOUND THEN
    -- A sealer may be adding it. This waits for those that are at work, and later ones wait until the transaction ends.
    LOCK TABLE ledger.logs IN SHARE MODE;
    PERFORM FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE;
  END IF;
END
$function$;

-- Removes the salts of the entries of a tenant's rows, named by their ids and times, and adds an erasure that names
-- the entries. An entry whose row is not among them keeps its salt. audit.mark_pruned calls it.
CREATE OR REPLACE FUNCTION ledger.note_pruned(tenant uuid, ids uuid[], times timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  erased int8multirange;
BEGIN
  -- The row of the log is not locked: what is sealed already is of no concern to a sealer.
  WITH gone AS (
    UPDATE ledger.entries x SET open_salt = NULL, closed_salt = NULL
      FROM unnest(ids, times) AS g (id, at)
     WHERE x.tenant_id = tenant AND x.kind = 'audit' AND x.id = g.id AND x.part = 0 AND x.at = g.at AND x.open_salt IS NOT NULL
    RETURNING x.leaf_index)
  SELECT range_agg(int8range(g.leaf_index, g.leaf_index + 1)) INTO erased FROM gone g;
  IF erased IS NOT NULL THEN
    INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries)
    VALUES (tenant, gen_random_uuid(), 'retention', erased);
  END IF;
END
$function$;

-- Returns the commitment to the fields of a row of the trail that callers see. What seals and what erases calls it.
CREATE OR REPLACE FUNCTION ledger.open_of(e audit.audit_events, salt bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
RETURN ledger.commitment(salt, ledger.audit_fields((e).tenant_id, (e).audit_event_id, (e).erun_user_id, (e).external_user_id, (e).external_issuer_id, (e).external_org_id, (e).type, (e).api_method, (e).api_path, (e).mcp_tool, (e).cli_command, (e).created_at));

-- Returns entries of the entered tenant's log from an index on, below the signed size, of one kind or of each, with
-- the fields that callers may see and their salt; both NULL if they were erased. Each way of reading has an index.
-- The audit service calls it for GET /v1/audit-log/entries.
CREATE OR REPLACE FUNCTION ledger.page_entries(tenant uuid, first bigint, of_kind text, page integer)
 RETURNS TABLE(leaf_index text, leaf text, salt bytea, fields text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT x.leaf_index::text, ledger.leaf(x.kind, x.id, x.at, x.open, x.closed),
         CASE WHEN d.fields IS NOT NULL THEN x.open_salt END, d.fields
    FROM ((SELECT n.* FROM ledger.entries n
            WHERE of_kind IS NULL AND n.tenant_id = tenant AND n.leaf_index >= first
              AND n.leaf_index < (SELECT l.note_size FROM ledger.logs l WHERE l.tenant_id = tenant)
            ORDER BY n.leaf_index LIMIT page)
          UNION ALL
          -- Compared as pairs: an equal kind would leave the order of the primary key as good, with a filter on it.
          (SELECT n.* FROM ledger.entries n
            WHERE of_kind IS NOT NULL AND n.tenant_id = tenant AND (n.kind, n.leaf_index) >= (of_kind, first)
              AND (n.kind, n.leaf_index) < (of_kind, (SELECT l.note_size FROM ledger.logs l WHERE l.tenant_id = tenant))
            ORDER BY n.kind, n.leaf_index LIMIT page)) AS x
   CROSS JOIN LATERAL ledger.disclosed(x::ledger.entries) AS d
   ORDER BY x.leaf_index
$function$;

-- Returns an entry of the entered tenant's log, named by its index, its row of the trail or its review, with the
-- tiles of its proof in the tree of a size, and, for the signed size, the checkpoint; no row if it is not in that
-- tree, or the tree is larger than the signed one. The audit service calls it for GET /v1/audit-log/inclusion-proof,
-- the reviews service for a receipt.
CREATE OR REPLACE FUNCTION ledger.prove_entry(tenant uuid, wanted bigint, event uuid, review uuid, tree_size bigint)
 RETURNS TABLE(leaf_index text, leaf text, salt bytea, fields text, size text, note text, levels smallint[], tile_indexes text[], lengths integer[], tiles bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT x.leaf_index::text, ledger.leaf(x.kind, x.id, x.at, x.open, x.closed),
         CASE WHEN d.fields IS NOT NULL THEN x.open_salt END, d.fields, s.size::text,
         CASE WHEN tree_size IS NULL THEN s.note END, p.levels, p.tile_indexes, p.lengths, p.tiles
    FROM (SELECT coalesce(tree_size, l.note_size) AS size, l.note, l.note_size FROM ledger.logs l
           WHERE l.tenant_id = tenant AND l.note IS NOT NULL) AS s
   CROSS JOIN LATERAL (
     (SELECT n.* FROM ledger.entries n WHERE n.tenant_id = tenant AND n.leaf_index = wanted)
     UNION ALL
     (SELECT n.* FROM ledger.entries n WHERE n.tenant_id = tenant AND n.kind = 'audit' AND n.id = event AND n.part = 0)
     UNION ALL
     (SELECT n.* FROM ledger.entries n WHERE n.tenant_id = tenant AND n.kind = 'landing' AND n.id = review
         AND n.leaf_index < s.size ORDER BY n.part DESC LIMIT 1)) AS x
   CROSS JOIN LATERAL ledger.disclosed(x::ledger.entries) AS d
   CROSS JOIN LATERAL (SELECT array_agg(t.level) AS levels, array_agg(t.tile_index) AS tile_indexes,
                              array_agg(length(t.hashes)) AS lengths, string_agg(t.hashes, ''::bytea) AS tiles
                         FROM ledger.tiles_on_path(tenant, x.leaf_index, s.size) t) AS p
   WHERE x.leaf_index < s.size AND s.size <= s.note_size
$function$;

-- Gives the next unsealed rows of the trail their entries, in the order of their times, whatever their transaction:
-- after a restore or a move its number means nothing. Returns how many, and the last row that it looked at; NULL at
-- the end. ledger.seal_log calls it.
CREATE OR REPLACE FUNCTION ledger.rescan_audit_rows(log ledger.logs, first bigint, most integer, OUT sealed integer, OUT last_at timestamp with time zone, OUT last_id uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  seen int;
BEGIN
  WITH looked AS MATERIALIZED (
    SELECT e
      FROM audit.audit_events e
     WHERE e.tenant_id = log.tenant_id
       AND (e.created_at, e.audit_event_id) > (log.rescanned_at, log.rescanned_id)
     ORDER BY e.created_at, e.audit_event_id LIMIT most),
  picked AS MATERIALIZED (
    SELECT DISTINCT ON ((l.e).audit_event_id) l.e, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
      FROM looked l
     WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = log.tenant_id AND x.kind = 'audit'
                          AND x.id = (l.e).audit_event_id AND x.part = 0 OFFSET 0)
     ORDER BY (l.e).audit_event_id, (l.e).created_at),
  sealed_rows AS (
    INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
    SELECT log.tenant_id, first + row_number() OVER (ORDER BY (p.e).created_at, (p.e).audit_event_id) - 1, 'audit',
           (p.e).audit_event_id, (p.e).created_at, p.s1, p.s2, ledger.open_of(p.e, p.s1),
           ledger.commitment(p.s2, ledger.hidden_audit_fields(p.e))
      FROM picked p)
  SELECT (SELECT count(*) FROM picked), (SELECT count(*) FROM looked), z.at, z.id INTO sealed, seen, last_at, last_id
    FROM (SELECT) AS one
    LEFT JOIN (SELECT (l.e).created_at AS at, (l.e).audit_event_id AS id FROM looked l ORDER BY 1 DESC, 2 DESC LIMIT 1) AS z
      ON true;
  -- Fewer than there was room for: the end of the trail was reached.
  IF seen < most THEN
    last_at := NULL;
    last_id := NULL;
  END IF;
END
$function$;

-- Returns the RFC 6962 root of the first entries of a log, from its tiles. ledger.seal_log and ledger.altered_logs
-- call it.
CREATE OR REPLACE FUNCTION ledger.root_of(tenant uuid, size bigint)
 RETURNS bytea
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  lvl   smallint := 0;
  count bigint := size;
  below bytea := ''::bytea;
BEGIN
  IF size = 0 THEN
    RETURN sha256('');
  END IF;
  LOOP
    -- The tile that is not full, and the root of what is not full below it.
    below := ledger.fold(coalesce((SELECT substr(t.hashes, 1, (count % 256)::int * 32) FROM ledger.tiles t
                                    WHERE t.tenant_id = tenant AND t.level = lvl AND t.tile_index = count / 256
                                      AND count % 256 > 0), ''::bytea) || below);
    EXIT WHEN count < 256;
    count := count / 256;
    lvl := lvl + 1;
  END LOOP;
  RETURN below;
END
$function$;

-- Gives the unsealed rows of the trail whose transaction is before the horizon their entries, at most so many, and
-- returns how many, whether some may be left, and the transaction before which none is. ledger.seal_log calls it.
CREATE OR REPLACE FUNCTION ledger.seal_audit_rows(log ledger.logs, horizon xid8, first bigint, most integer, OUT sealed integer, OUT more boolean, OUT below xid8)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  last xid8;
  seen int;
BEGIN
  WITH found AS MATERIALIZED (
    SELECT e
      FROM audit.audit_events e
     WHERE e.tenant_id = log.tenant_id AND e.written_in >= log.sealed_below AND e.written_in < horizon
       AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                          AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0)
     ORDER BY e.written_in LIMIT most),
  picked AS MATERIALIZED (
    -- A login that was taken over may have written an id twice: the first row has the entry.
    SELECT DISTINCT ON ((f.e).audit_event_id) f.e, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
      FROM found f ORDER BY (f.e).audit_event_id, (f.e).created_at),
  sealed_rows AS (
    INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
    SELECT log.tenant_id, first + row_number() OVER (ORDER BY (p.e).written_in, (p.e).created_at) - 1, 'audit',
           (p.e).audit_event_id, (p.e).created_at, p.s1, p.s2, ledger.open_of(p.e, p.s1),
           ledger.commitment(p.s2, ledger.hidden_audit_fields(p.e))
      FROM picked p)
  SELECT (SELECT count(*) FROM picked), (SELECT count(*) FROM found),
         (SELECT (f.e).written_in FROM found f ORDER BY (f.e).written_in DESC LIMIT 1) INTO sealed, seen, last;
  more := seen = most;
  below := CASE WHEN more THEN last ELSE horizon END;
END
$function$;

-- Seals what is due in the logs of all tenants, about so many entries in 1000 logs at most, and returns how many
-- entries were added and whether some are left. Each named key that a log does not have yet becomes an entry. The
-- audit service calls it each second.
CREATE OR REPLACE FUNCTION ledger.seal_due(host text, signing_keys bytea[], after_rows integer, after_seconds double precision, most integer, OUT sealed integer, OUT more boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  logs_max CONSTANT int := 1000;
  -- The log that has waited longest first, so that one tenant's many rows do not keep another's from being sealed.
  due    uuid[] := ARRAY(SELECT w.tenant_id FROM ledger.waiting(after_rows, after_seconds, signing_keys) w
                          ORDER BY w.sealed_at NULLS FIRST LIMIT logs_max);
  -- A log's part of the room, but not less than makes a batch worth it.
  share  int := greatest(most / greatest(cardinality(due), 1), least(most, 1024));
  tenant uuid;
  done   record;
BEGIN
  sealed := 0;
  more := false;
  FOREACH tenant IN ARRAY due
  LOOP
    IF sealed >= most OR clock_timestamp() > statement_timestamp() + interval '4 s' THEN
      more := true;
      EXIT;
    END IF;
    BEGIN
      SELECT * INTO done FROM ledger.seal_log(tenant, host, signing_keys, least(most - sealed, share));
    EXCEPTION WHEN unique_violation OR check_violation OR data_exception THEN
      -- One log's fault keeps no other from being sealed; its own rows wait, and the alarm says so.
      RAISE WARNING 'the log of tenant % could not be sealed: %', tenant, SQLSTATE;
      CONTINUE;
    END;
    sealed := sealed + done.sealed;
    more := more OR done.more;
  END LOOP;
  -- Nothing is left to do at once where others have the logs that were due.
  more := more OR sealed > 0 AND cardinality(due) = logs_max;
END
$function$;

-- Gives unsealed erasures of a tenant their entries, at most so many, and returns how many. ledger.seal_log calls it.
CREATE OR REPLACE FUNCTION ledger.seal_erasures(log ledger.logs, first bigint, most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  sealed int;
BEGIN
  WITH picked AS MATERIALIZED (
    SELECT r.*, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2 FROM ledger.erasures r
     WHERE r.tenant_id = log.tenant_id AND NOT r.sealed ORDER BY r.erased_at, r.erasure_id LIMIT most),
  marked AS (
    UPDATE ledger.erasures r SET sealed = true FROM picked p
     WHERE r.tenant_id = log.tenant_id AND r.erasure_id = p.erasure_id)
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed)
  SELECT log.tenant_id, first + row_number() OVER (ORDER BY p.erased_at, p.erasure_id) - 1, 'erasure', p.erasure_id,
         p.erased_at, p.s1, p.s2, ledger.commitment(p.s1, ledger.erasure_fields(p.entries, p.reason)),
         ledger.commitment(p.s2, '{}')
    FROM picked p;
  GET DIAGNOSTICS sealed = ROW_COUNT;
  RETURN sealed;
END
$function$;

-- Gives the keys that a log does not have yet their entries, and returns how many. ledger.seal_log calls it.
CREATE OR REPLACE FUNCTION ledger.seal_keys(log ledger.logs, signing_keys bytea[], first bigint)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  sealed int;
BEGIN
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open_salt, closed_salt, open, closed, public_key)
  SELECT log.tenant_id, first + row_number() OVER (ORDER BY k.place) - 1, 'key', gen_random_uuid(), clock_timestamp(), k.s1,
         k.s2, ledger.commitment(k.s1, ledger.key_fields(k.key)), ledger.commitment(k.s2, '{}'), k.key
    FROM (SELECT u.key, u.place, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
            FROM unnest(signing_keys) WITH ORDINALITY AS u (key, place) WHERE u.key <> ALL (log.keys)) AS k;
  GET DIAGNOSTICS sealed = ROW_COUNT;
  RETURN sealed;
END
$function$;

-- Gives unsealed landings of a tenant their entries, with their later verdicts, of so many reviews at most: new ones
-- as soon as they are there, and those that a rescan comes to, in the order of their reviews. Returns how many,
-- whether some may be left, the transaction before which none is, and the last review of the rescan; NULL at its end.
-- ledger.seal_log calls it.
CREATE OR REPLACE FUNCTION ledger.seal_landings(log ledger.logs, horizon xid8, first bigint, most integer, OUT sealed integer, OUT more boolean, OUT below xid8, OUT last_review uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  fresh   record;
  old     record;
BEGIN
  SELECT count(*) AS seen, coalesce(array_agg(f.review_id), '{}') AS reviews,
         (array_agg(f.written_in ORDER BY f.written_in DESC))[1] AS last INTO fresh
    FROM (SELECT * FROM ledger.unsealed_landings(log.tenant_id, log.landed_below) u ORDER BY u.written_in LIMIT most) AS f;
  more := fresh.seen = most;
  -- One that is written by a transaction after the horizon is found again, by its key.
  below := CASE WHEN more THEN least(fresh.last, horizon) ELSE horizon END;
  last_review := log.rescanned_review;
  IF log.rescanned_review IS NOT NULL AND NOT more THEN
    SELECT count(*) AS seen, coalesce(array_agg(l.review_id), '{}') AS reviews,
           (array_agg(l.review_id ORDER BY l.review_id DESC))[1] AS last INTO old
      FROM (SELECT v.review_id FROM reviews.verifications v
             WHERE v.tenant_id = log.tenant_id AND v.review_id > log.rescanned_review
             ORDER BY v.review_id LIMIT most - fresh.seen) AS l;
    fresh.reviews := fresh.reviews || old.reviews;
    -- Fewer than there was room for: the last one was reached.
    more := old.seen = most - fresh.seen;
    last_review := CASE WHEN more THEN old.last END;
  END IF;
  INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, part, at, open_salt, closed_salt, open, closed)
  SELECT log.tenant_id, first + row_number() OVER (ORDER BY p.at, p.part) - 1, 'landing', p.review_id, p.part, p.at,
         p.s1, p.s2, ledger.commitment(p.s1, p.fields), ledger.commitment(p.s2, p.hidden)
    FROM (SELECT l.*, uuid_send(gen_random_uuid()) AS s1, uuid_send(gen_random_uuid()) AS s2
            FROM ledger.landings(log.tenant_id) l
           WHERE l.review_id = ANY (fresh.reviews)
             AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = log.tenant_id AND x.kind = 'landing'
                                AND x.id = l.review_id AND x.part = l.part OFFSET 0)) AS p;
  GET DIAGNOSTICS sealed = ROW_COUNT;
END
$function$;

-- Seals what a tenant's log lacks, about so many entries at most, and stores its size and root. Returns how many
-- entries were added, and whether it left some. Does nothing while another transaction has the log. ledger.seal_due
-- calls it.
CREATE OR REPLACE FUNCTION ledger.seal_log(tenant uuid, host text, signing_keys bytea[], most integer, OUT sealed integer, OUT more boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  log      ledger.logs;
  horizon  xid8;
  erasures int;
  landings record;
  new_rows record;
  old_rows record;
  -- What a kind of entries may take at most while another has some too.
  half     int := greatest(most / 2, 1);
  room     int;
BEGIN
  sealed := 0;
  more := false;
  SELECT * INTO log FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    PERFORM ledger.add_log(tenant, host);
    SELECT * INTO log FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  -- Every transaction before it has ended, so that the statements after this one see all of its rows.
  horizon := pg_snapshot_xmin(pg_current_snapshot());
  IF log.cluster <> ledger.cluster() THEN
    log.sealed_below := horizon;
    log.landed_below := horizon;
    log.rescanned_at := '-infinity';
    log.rescanned_id := '00000000-0000-0000-0000-000000000000';
    log.rescanned_review := '00000000-0000-0000-0000-000000000000';
  END IF;
  sealed := ledger.seal_keys(log, signing_keys, log.size);
  erasures := ledger.seal_erasures(log, log.size + sealed, half);
  sealed := sealed + erasures;
  SELECT * INTO landings FROM ledger.seal_landings(log, horizon, log.size + sealed, half);
  sealed := sealed + landings.sealed;
  room := greatest(most - erasures - landings.sealed, half);
  SELECT * INTO new_rows FROM ledger.seal_audit_rows(log, horizon, log.size + sealed, room);
  sealed := sealed + new_rows.sealed;
  more := erasures = half OR landings.more OR new_rows.more;
  IF log.rescanned_at IS NOT NULL AND NOT new_rows.more THEN
    SELECT * INTO old_rows FROM ledger.rescan_audit_rows(log, log.size + sealed, room - new_rows.sealed);
    sealed := sealed + old_rows.sealed;
    log.rescanned_at := old_rows.last_at;
    log.rescanned_id := old_rows.last_id;
    more := more OR old_rows.last_at IS NOT NULL;
  END IF;
  IF sealed > 0 THEN
    PERFORM ledger.add_hashes(tenant, log.size, (
      SELECT string_agg(sha256('\x00'::bytea || convert_to(ledger.leaf(x.kind, x.id, x.at, x.open, x.closed), 'UTF8')),
                        ''::bytea ORDER BY x.leaf_index)
        FROM ledger.entries x WHERE x.tenant_id = tenant AND x.leaf_index >= log.size));
    log.size := log.size + sealed;
    log.root := ledger.root_of(tenant, log.size);
    log.keys := log.keys || ARRAY(SELECT k FROM unnest(signing_keys) AS k WHERE k <> ALL (log.keys));
    log.sealed_at := clock_timestamp();
    log.unsigned_since := coalesce(log.unsigned_since, log.sealed_at);
  END IF;
  log.cluster := ledger.cluster();
  log.sealed_below := new_rows.below;
  log.landed_below := landings.below;
  log.rescanned_review := landings.last_review;
  UPDATE ledger.logs l
     SET (size, root, keys, sealed_at, unsigned_since, cluster, sealed_below, landed_below, rescanned_at, rescanned_id,
          rescanned_review)
       = (log.size, log.root, log.keys, log.sealed_at, log.unsigned_since, log.cluster, log.sealed_below, log.landed_below,
          log.rescanned_at, log.rescanned_id, log.rescanned_review)
   -- While an old transaction holds the horizon there may be nothing new to say.
   WHERE l.tenant_id = tenant AND l IS DISTINCT FROM log;
END
$function$;

-- Returns a moment as answers of the API show it: RFC 3339, UTC, without trailing zeros. What makes fields calls it.
CREATE OR REPLACE FUNCTION ledger.shown_instant(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN (rtrim(rtrim(to_char((moment AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US'::text), '0'::text), '.'::text) || 'Z'::text);

-- Stores the signed checkpoints of logs, each if its size and root are those that are stored, and it says so; else
-- the log has grown, and is signed again. Signatures are not looked at. Returns how many it has stored. The audit
-- service calls it.
CREATE OR REPLACE FUNCTION ledger.store_notes(tenants uuid[], sizes bigint[], roots bytea[], signed text[], signing_keys bytea[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  stored int;
BEGIN
  WITH given AS (
    SELECT * FROM unnest(tenants, sizes, roots, signed) AS g (tenant_id, size, root, note)),
  -- A log that another transaction has is growing, or gets the same note from it: it is waited for by nobody.
  held AS MATERIALIZED (
    SELECT l.tenant_id FROM ledger.logs l JOIN given g USING (tenant_id, size, root) FOR UPDATE OF l SKIP LOCKED)
  UPDATE ledger.logs l SET note = g.note, note_size = g.size, note_keys = signing_keys, unsigned_since = NULL
    FROM held h JOIN given g USING (tenant_id)
   WHERE l.tenant_id = h.tenant_id AND l.size = g.size AND l.root = g.root
     AND starts_with(g.note, ledger.checkpoint_text(l.origin, l.size, l.root));
  GET DIAGNOSTICS stored = ROW_COUNT;
  RETURN stored;
END
$function$;

-- Returns the tiles of the entered tenant's log that a proof about an entry in a tree of a size needs: on the way
-- from the entry to the root, and at the right edge of the tree. What proves calls it.
CREATE OR REPLACE FUNCTION ledger.tiles_on_path(tenant uuid, leaf bigint, tree_size bigint)
 RETURNS TABLE(level smallint, tile_index text, hashes bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH RECURSIVE up AS (
    SELECT 0::smallint AS level, leaf AS leaf, tree_size AS size
    UNION ALL
    SELECT (up.level + 1)::smallint, up.leaf / 256, up.size / 256 FROM up WHERE up.size >= 256)
  -- One look by key for each level: a join might read all tiles instead.
  SELECT found.* FROM up CROSS JOIN LATERAL (
    SELECT t.level, t.tile_index::text, t.hashes FROM ledger.tiles t
     WHERE t.tenant_id = tenant AND t.level = up.level AND t.tile_index IN (up.leaf / 256, up.size / 256)
    OFFSET 0) AS found
$function$;

-- Returns of how many tenants rows of the trail from before a moment may not be sealed, because they wait or their
-- log is catching up. npm run db -- prune takes no month from the trail while it is not 0.
CREATE OR REPLACE FUNCTION ledger.unsealed_before(moment timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT count(*)
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   -- Where nothing has ever been sealed nothing waits to be.
   WHERE EXISTS (SELECT FROM ledger.logs)
     AND NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
     AND CASE WHEN l.tenant_id IS NULL
           THEN EXISTS (SELECT FROM audit.audit_events e WHERE e.tenant_id = t.tenant_id AND e.created_at < moment)
           ELSE l.cluster <> (SELECT ledger.cluster()) OR l.rescanned_at < moment
             OR EXISTS (SELECT FROM audit.audit_events e
                         WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below AND e.created_at < moment
                           AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                                              AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0))
         END
$function$;

-- Returns the landings (part 0) and later verdicts (part 1) of a transaction or one after it that have no entry. What
-- seals landings, and what says that they wait, calls it.
CREATE OR REPLACE FUNCTION ledger.unsealed_landings(tenant uuid, start xid8)
 RETURNS TABLE(review_id uuid, part smallint, at timestamp with time zone, written_in xid8)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT w.* FROM (
    SELECT v.review_id, 0::smallint AS part, v.created_at, v.written_in FROM reviews.verifications v
     WHERE v.tenant_id = tenant AND v.written_in >= start AND v.written_in < pg_snapshot_xmax(pg_current_snapshot())
     UNION ALL
    SELECT c.review_id, 1::smallint, c.created_at, c.written_in FROM reviews.later_contents c
     WHERE c.tenant_id = tenant AND c.written_in >= start AND c.written_in < pg_snapshot_xmax(pg_current_snapshot())) AS w
   WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = tenant AND x.kind = 'landing' AND x.id = w.review_id
                        AND x.part = w.part OFFSET 0)
$function$;

-- Returns the logs whose stored size has no checkpoint signed by these keys, with the root that is stored. The audit
-- service signs it.
CREATE OR REPLACE FUNCTION ledger.unsigned(signing_keys bytea[])
 RETURNS TABLE(tenant_id uuid, origin text, size text, root bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT l.tenant_id, l.origin, l.size::text, l.root FROM ledger.logs l
   WHERE l.size > 0 AND signing_keys <@ l.keys
     AND (l.note_size IS DISTINCT FROM l.size OR l.note_keys IS DISTINCT FROM signing_keys)
   ORDER BY l.tenant_id LIMIT 1000
$function$;

-- Returns the tenants whose logs lack something that can be sealed now: so many rows of the trail, one of that age, a
-- landing, an erasure, a key, or rows from before the log. ledger.seal_due calls it.
CREATE OR REPLACE FUNCTION ledger.waiting(after_rows integer, after_seconds double precision, signing_keys bytea[])
 RETURNS TABLE(tenant_id uuid, sealed_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT t.tenant_id, l.sealed_at
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   -- Rows that can be sealed now: those of transactions that have ended, as all before them have.
   -- The order and the limit have each partition's index read for one row; EXISTS would drop them, and read whole tables.
   CROSS JOIN LATERAL (SELECT (
     SELECT e.created_at FROM audit.audit_events e
      WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below AND e.written_in < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY e.written_in LIMIT 1) AS created_at OFFSET 0) AS oldest
   WHERE NOT EXISTS (SELECT FROM identity.closed_tenants c
                      WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
     AND CASE WHEN l.tenant_id IS NULL
           THEN (SELECT e.created_at FROM audit.audit_events e WHERE e.tenant_id = t.tenant_id
                  ORDER BY e.written_in LIMIT 1) IS NOT NULL
           ELSE l.cluster <> (SELECT ledger.cluster()) OR l.rescanned_at IS NOT NULL OR l.rescanned_review IS NOT NULL
             OR NOT signing_keys <@ l.keys
             OR oldest.created_at <= clock_timestamp() - make_interval(secs => after_seconds)
             OR oldest.created_at IS NOT NULL
                AND EXISTS (SELECT FROM audit.audit_events e
                             WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below
                               AND e.written_in < pg_snapshot_xmin(pg_current_snapshot())
                             ORDER BY e.written_in OFFSET after_rows - 1 LIMIT 1)
             OR EXISTS (SELECT FROM ledger.unsealed_landings(t.tenant_id, l.landed_below))
             OR EXISTS (SELECT FROM ledger.erasures r WHERE r.tenant_id = t.tenant_id AND NOT r.sealed)
         END
$function$;

ALTER ROUTINE ledger.add_hashes(uuid,bigint,bytea) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.add_log(uuid,text) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.altered_entries() OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.altered_logs() OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.checkpoint_text(text,bigint,bytea) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.cluster() OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.erase_user(uuid,uuid) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.examine_pruned(uuid,uuid[],timestamp with time zone[]) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.figures() OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.fold(bytea) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.late_rows(double precision) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.lock_log(uuid) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.note_pruned(uuid,uuid[],timestamp with time zone[]) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.open_of(audit.audit_events,bytea) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.rescan_audit_rows(ledger.logs,bigint,integer) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.root_of(uuid,bigint) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.seal_audit_rows(ledger.logs,xid8,bigint,integer) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.seal_due(text,bytea[],integer,double precision,integer) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.seal_erasures(ledger.logs,bigint,integer) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.seal_keys(ledger.logs,bytea[],bigint) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.seal_landings(ledger.logs,xid8,bigint,integer) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.seal_log(uuid,text,bytea[],integer) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.store_notes(uuid[],bigint[],bytea[],text[],bytea[]) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.unsealed_before(timestamp with time zone) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.unsealed_landings(uuid,xid8) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.unsigned(bytea[]) OWNER TO plat_ledger_sealer;
ALTER ROUTINE ledger.waiting(integer,double precision,bytea[]) OWNER TO plat_ledger_sealer;

GRANT SELECT ON ledger.entries TO plat_inspector;
GRANT INSERT, SELECT, UPDATE (open_salt, closed_salt) ON ledger.entries TO plat_ledger_sealer;
GRANT SELECT ON ledger.erasures TO plat_inspector;
GRANT INSERT, SELECT, UPDATE (sealed) ON ledger.erasures TO plat_ledger_sealer;
GRANT SELECT ON ledger.logs TO plat_inspector;
GRANT INSERT, SELECT, UPDATE ON ledger.logs TO plat_ledger_sealer;
GRANT SELECT ON ledger.tiles TO plat_inspector;
GRANT INSERT, SELECT, UPDATE ON ledger.tiles TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.altered_entries() TO plat_inspector;
GRANT EXECUTE ON FUNCTION ledger.altered_logs() TO plat_inspector;
GRANT EXECUTE ON FUNCTION ledger.audit_fields(uuid,uuid,uuid,text,text,text,text,text,text,text,text,timestamp with time zone) TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.commitment(bytea,text) TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.erasure_fields(int8multirange,text) TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.examine_pruned(uuid,uuid[],timestamp with time zone[]) TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION ledger.figures() TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.get_log(uuid) TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.get_tile(uuid,integer,bigint) TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.hidden_audit_fields(audit.audit_events) TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.instant(timestamp with time zone) TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.key_fields(bytea) TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.landings(uuid) TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.late_rows(double precision) TO plat_inspector;
GRANT EXECUTE ON FUNCTION ledger.leaf(text,uuid,timestamp with time zone,bytea,bytea) TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.note_pruned(uuid,uuid[],timestamp with time zone[]) TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION ledger.page_entries(uuid,bigint,text,integer) TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.prove_entry(uuid,bigint,uuid,uuid,bigint) TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.prove_entry(uuid,bigint,uuid,uuid,bigint) TO plat_reviews;
GRANT EXECUTE ON FUNCTION ledger.seal_due(text,bytea[],integer,double precision,integer) TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.shown_instant(timestamp with time zone) TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION ledger.store_notes(uuid[],bigint[],bytea[],text[],bytea[]) TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.tiles_on_path(uuid,bigint,bigint) TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.unsealed_before(timestamp with time zone) TO plat_audit_owner;
GRANT EXECUTE ON FUNCTION ledger.unsigned(bytea[]) TO plat_audit;

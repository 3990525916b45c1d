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
  -- Every row of a transaction before this one is sealed, except those that a rescan has not reached.
  sealed_below xid8 NOT NULL,
  -- The PostgreSQL cluster that gave the numbers of transactions (pg_control_system)
  cluster      bigint NOT NULL,
  -- The last row that a rescan has looked at; NULL if none is under way
  rescanned_at timestamptz,
  rescanned_id uuid,
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
  'ledger.seal_due and ledger.store_note write it.';

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
  PRIMARY KEY (tenant_id, erasure_id)
);
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
GRANT SELECT, INSERT ON ledger.erasures TO plat_ledger_sealer;

CREATE FUNCTION ledger.instant(moment timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
COMMENT ON FUNCTION ledger.instant IS 'Returns a moment in RFC 3339, UTC, with six digits of its second. ledger.leaf calls it.';

CREATE FUNCTION ledger.shown_instant(moment timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN rtrim(rtrim(to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z';
COMMENT ON FUNCTION ledger.shown_instant IS
  'Returns a moment as answers of the API show it: RFC 3339, UTC, without trailing zeros. What makes fields calls it.';

CREATE FUNCTION ledger.leaf(kind text, id uuid, at timestamptz, open bytea, closed bytea) RETURNS text
LANGUAGE sql STABLE
RETURN '{"at":"' || ledger.instant(at) || '","closed":"' || encode(closed, 'base64') || '","id":"' || id || '","kind":"' ||
       kind || '","open":"' || encode(open, 'base64') || '","v":1}';
COMMENT ON FUNCTION ledger.leaf IS
  'Returns an entry of a log as it is hashed: canonical JSON (RFC 8785). What seals and what reads entries call it.';

CREATE FUNCTION ledger.audit_fields(tenant uuid, event uuid, usr uuid, subject text, issuer text, org text, type text,
  method text, path text, tool text, command text, at timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN '{' || concat_ws(',',
  '"apiMethod":' || to_json(CASE WHEN type <> 'MCP' THEN method END)::text,
  '"apiPath":' || to_json(CASE WHEN type <> 'MCP' THEN path END)::text,
  '"auditEventId":"' || event || '"',
  '"cliCommand":' || to_json(command)::text,
  '"createdAt":"' || ledger.shown_instant(at) || '"',
  '"erunUserId":"' || usr || '"',
  '"externalIssuerId":' || to_json(issuer)::text,
  '"externalOrgId":' || to_json(org)::text,
  '"externalUserId":' || to_json(subject)::text,
  '"mcpTool":' || to_json(tool)::text,
  '"tenantId":"' || tenant || '"',
  '"type":"' || type || '"') || '}';
COMMENT ON FUNCTION ledger.audit_fields IS
  'Returns the fields of a row of the trail that GET /v1/audit-events shows, as canonical JSON. What seals and what reads '
  'entries call it.';

CREATE FUNCTION ledger.hidden_audit_fields(e audit.audit_events) RETURNS text
LANGUAGE sql STABLE
RETURN '{' || concat_ws(',',
  '"apiMethod":' || to_json(CASE WHEN (e).type = 'MCP' THEN (e).api_method END)::text,
  '"apiParameters":' || to_json((e).api_parameters::text)::text,
  '"apiPath":' || to_json(CASE WHEN (e).type = 'MCP' THEN (e).api_path END)::text,
  '"callerRequestId":' || to_json((e).caller_request_id)::text,
  '"cliParameters":' || to_json((e).cli_parameters::text)::text,
  '"mcpToolParameters":' || to_json((e).mcp_tool_parameters::text)::text,
  '"requestId":' || to_json((e).request_id)::text) || '}';
COMMENT ON FUNCTION ledger.hidden_audit_fields IS
  'Returns the fields of a row of the trail that no route shows, as canonical JSON; arguments as the text of their JSON. '
  'What seals and ledger.altered_entries call it.';

CREATE FUNCTION ledger.commitment(salt bytea, fields text) RETURNS bytea
LANGUAGE sql STABLE
RETURN sha256(salt || convert_to(fields, 'UTF8'));
COMMENT ON FUNCTION ledger.commitment IS 'Returns the SHA-256 of a salt and the fields after it. What seals calls it.';

CREATE FUNCTION ledger.landings(tenant uuid) RETURNS TABLE(
  review_id uuid, part smallint, at timestamptz, written_in xid8, fields text, hidden text)
LANGUAGE sql STABLE
AS $$
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
$$;
COMMENT ON FUNCTION ledger.landings IS
  'Returns the statements of a tenant''s merge receipts as canonical JSON, each as it was at the merge (part 0), and as it is '
  'since a later verdict (part 1), with the fields that no receipt shows. What seals and what reads entries call it.';

CREATE FUNCTION ledger.key_fields(public_key bytea) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN '{"algorithm":"Ed25519","publicKey":"' || encode(public_key, 'base64') || '"}';
COMMENT ON FUNCTION ledger.key_fields IS
  'Returns what the entry of a key commits to, as canonical JSON. What seals and what reads entries call it.';

CREATE FUNCTION ledger.erasure_fields(entries int8multirange, reason text) RETURNS text
LANGUAGE sql STABLE
RETURN '{"entries":"' || (
  SELECT string_agg(lower(r.stretch) || CASE WHEN upper(r.stretch) - lower(r.stretch) > 1
                                          THEN '-' || upper(r.stretch) - 1 ELSE '' END, ',' ORDER BY lower(r.stretch))
    FROM unnest(entries) AS r (stretch)) || '","reason":"' || reason || '"}';
COMMENT ON FUNCTION ledger.erasure_fields IS
  'Returns what the entry of an erasure commits to, as canonical JSON. What seals and what reads entries call it.';

CREATE FUNCTION ledger.fold(hashes bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE
AS $$
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
$$;
COMMENT ON FUNCTION ledger.fold IS
  'Returns the RFC 6962 root of up to 256 neighbouring hashes. ledger.add_hashes and ledger.root_of call it.';
RESET ROLE;

-- What an entry of a sealed log commits to: the fields of a row, a landing, a key or an erasure, as canonical JSON.
-- Guarantees: what seals and what reads entries make the same bytes of the same row, because they call the same functions.
-- Functions only; runs in milliseconds.

SET ROLE plat_ledger_owner;

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

REVOKE ALL ON FUNCTION ledger.instant(timestamptz), ledger.shown_instant(timestamptz),
  ledger.leaf(text, uuid, timestamptz, bytea, bytea), ledger.commitment(bytea, text), ledger.key_fields(bytea),
  ledger.audit_fields(uuid, uuid, uuid, text, text, text, text, text, text, text, text, timestamptz),
  ledger.hidden_audit_fields(audit.audit_events), ledger.landings(uuid), ledger.erasure_fields(int8multirange, text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.instant(timestamptz), ledger.shown_instant(timestamptz),
  ledger.leaf(text, uuid, timestamptz, bytea, bytea), ledger.commitment(bytea, text), ledger.key_fields(bytea),
  ledger.audit_fields(uuid, uuid, uuid, text, text, text, text, text, text, text, text, timestamptz),
  ledger.hidden_audit_fields(audit.audit_events), ledger.landings(uuid), ledger.erasure_fields(int8multirange, text)
  TO plat_ledger_sealer;
RESET ROLE;

-- Listings that stay quick beside a long history: each filter that the contract promises has its index, also in a read
-- across tenants, and the reviews that are worked on are found without reading those that have ended.
-- The indexes are built under a lock that holds back new rows of their tables meanwhile; reads go on.

-- A page's statement, newest rows first. Over the tenant's rows ($1); or, for a read across tenants, over the newest of
-- each tenant, which that tenant's index gives in order, so that no index without the tenant is needed.
-- `selected` and `conditions` speak of the table as `e`; `size` is the parameter that bounds the page.
CREATE FUNCTION tenancy.page_statement(selected text, conditions text, newest_first text, size text) RETURNS text
LANGUAGE sql STABLE
RETURN format(
  CASE WHEN tenancy.across() THEN
    'SELECT e.* FROM unnest(identity.readable_tenants($1)) AS t (tenant_id)
      CROSS JOIN LATERAL (%1$s WHERE e.tenant_id = t.tenant_id%2$s ORDER BY %3$s LIMIT %4$s) AS e
      ORDER BY %3$s LIMIT %4$s'
  ELSE '%1$s WHERE e.tenant_id = $1%2$s ORDER BY %3$s LIMIT %4$s' END,
  selected, conditions, newest_first, size);

SET ROLE plat_audit_owner;

-- What is rare in the trail: without an index a filter by it would read the whole trail to fill a page.
CREATE INDEX audit_events_rare_type ON audit.audit_events (tenant_id, type, created_at, audit_event_id)
  WHERE type <> 'API';

-- As before (0010), now by the tenants' indexes across tenants too; and a later page leaves out the partitions that lie
-- before its first row.
CREATE OR REPLACE FUNCTION audit.list_events(tenant uuid, earliest timestamptz, latest timestamptz, usr uuid, kind text,
  method text, path text, after_time timestamptz, after_id uuid, page int)
RETURNS TABLE (tenant_id uuid, audit_event_id uuid, erun_user_id uuid, external_user_id text, external_issuer_id text,
  external_org_id text, type text, api_method text, api_path text, mcp_tool text, cli_command text,
  created_at timestamptz)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.tenant_id, e.audit_event_id, e.erun_user_id, e.external_user_id, e.external_issuer_id,
            e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool, e.cli_command, e.created_at
       FROM audit.audit_events e',
    CASE WHEN earliest IS NOT NULL THEN ' AND e.created_at >= $2' ELSE '' END
    || CASE WHEN latest IS NOT NULL THEN ' AND e.created_at <= $3' ELSE '' END
    || CASE WHEN usr IS NOT NULL THEN ' AND e.erun_user_id = $4' ELSE '' END
    || CASE WHEN kind IS NOT NULL THEN ' AND e.type = $5' ELSE '' END
    || CASE WHEN method IS NOT NULL THEN ' AND e.api_method = $6' ELSE '' END
    || CASE WHEN path IS NOT NULL THEN ' AND e.api_path = $7' ELSE '' END
    || CASE WHEN after_id IS NOT NULL
            THEN ' AND e.created_at <= $8 AND (e.created_at, e.audit_event_id) < ($8, $9)' ELSE '' END,
    'e.created_at DESC, e.audit_event_id DESC', '$10')
    USING tenant, earliest, latest, usr, kind, method, path, after_time, after_id, page;
END
$$;
RESET ROLE;

SET ROLE plat_builds_owner;

-- As before (0014), now by the tenants' indexes across tenants too.
CREATE OR REPLACE FUNCTION builds.list_builds(tenant uuid, environment uuid, wanted_kind text, wanted_outcome boolean,
  earliest timestamptz, latest timestamptz, after_time timestamptz, after_id uuid, page int)
RETURNS SETOF builds.builds
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM builds.builds e',
    CASE WHEN environment IS NOT NULL THEN ' AND e.environment_id = $2' ELSE '' END
    || CASE WHEN wanted_kind IS NOT NULL THEN ' AND e.kind = $3' ELSE '' END
    || CASE wanted_outcome WHEN true THEN ' AND e.successful' WHEN false THEN ' AND NOT e.successful' ELSE '' END
    || CASE WHEN earliest IS NOT NULL THEN ' AND e.created_at >= $4' ELSE '' END
    || CASE WHEN latest IS NOT NULL THEN ' AND e.created_at <= $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.build_id) < ($6, $7)' ELSE '' END,
    'e.created_at DESC, e.build_id DESC', '$8')
    USING tenant, environment, wanted_kind, earliest, latest, after_time, after_id, page;
END
$$;
RESET ROLE;

SET ROLE plat_reviews_owner;

-- As before (0012), now by the tenants' indexes across tenants too.
CREATE OR REPLACE FUNCTION reviews.list_gate_runs(tenant uuid, target text, source text, wanted text, review uuid,
  after_time timestamptz, after_id uuid, page int) RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.gate_runs e',
    CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $2' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND e.source_branch = $3' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.verdict = $4' ELSE '' END
    || CASE WHEN review IS NOT NULL THEN ' AND e.review_id = $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.gate_run_id) < ($6, $7)' ELSE '' END,
    'e.created_at DESC, e.gate_run_id DESC', '$8')
    USING tenant, target, source, wanted, review, after_time, after_id, page;
END
$$;

-- The reviews that are worked on, however many have ended.
CREATE INDEX reviews_live ON reviews.reviews (tenant_id, status, created_at, review_id)
  WHERE status NOT IN ('MERGED', 'CLOSED');

-- As before (0008). Only the conditions that are asked for are written, so that each finds its index.
CREATE OR REPLACE FUNCTION reviews.list_reviews(tenant uuid, repo text, target text, source text, wanted text,
                                                author uuid, reviewer uuid) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT * FROM reviews.reviews r WHERE '
    || CASE WHEN tenancy.across() THEN 'r.tenant_id = ANY (identity.readable_tenants($1))'
            ELSE 'r.tenant_id = $1' END
    || CASE WHEN repo IS NOT NULL THEN ' AND r.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND r.target_branch = $3' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND r.source_branch = $4' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND r.status = $5' ELSE '' END
    || CASE WHEN author IS NOT NULL THEN ' AND r.author_user_id = $6' ELSE '' END
    || CASE WHEN reviewer IS NOT NULL THEN
         ' AND EXISTS (SELECT FROM reviews.reviewers w
                        WHERE w.tenant_id = r.tenant_id AND w.review_id = r.review_id AND w.user_id = $7)' ELSE '' END
    || ' ORDER BY r.created_at DESC, r.review_id DESC'
    USING tenant, repo, target, source, wanted, author, reviewer;
END
$$;

-- As before (0008), likewise.
CREATE OR REPLACE FUNCTION reviews.list_merge_queue(tenant uuid, repo text, target text) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT * FROM reviews.reviews r WHERE r.status = ''READY'' AND '
    || CASE WHEN tenancy.across() THEN 'r.tenant_id = ANY (identity.readable_tenants($1))'
            ELSE 'r.tenant_id = $1' END
    || CASE WHEN repo IS NOT NULL THEN ' AND r.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND r.target_branch = $3' ELSE '' END
    || ' ORDER BY r.target_branch, r.ticket, r.tenant_id'
    USING tenant, repo, target;
END
$$;
RESET ROLE;

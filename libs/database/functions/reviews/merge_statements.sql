CREATE OR REPLACE FUNCTION reviews.merge_statements(tenant uuid) RETURNS TABLE(
  review_id uuid, part smallint, at timestamptz, written_in xid8, statement text, hidden text)
LANGUAGE sql STABLE
AS $$
  SELECT v.review_id, p.part, p.at, p.written_in,
    '{' || concat_ws(',',
      '"anchorCommitId":' || to_json(v.anchor_commit_id)::text,
      '"buildId":"' || v.build_id || '"',
      '"builtOnCommitId":' || to_json(coalesce(l.built_on_commit_id, v.built_on_commit_id))::text,
      '"commitId":' || to_json(coalesce(v.commit_id, l.commit_id))::text,
      '"conditions":' || to_json(v.conditions)::text,
      '"contentJudgedAt":"' || tenancy.shown_instant(l.created_at) || '"',
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
      '"statementVersion":1',
      '"targetBranch":' || to_json(v.target_branch)::text,
      '"targetTip":' || to_json(v.target_tip)::text,
      '"tenantId":"' || v.tenant_id || '"',
      '"treeId":' || to_json(coalesce(v.tree_id, l.tree_id))::text,
      '"verifiedAt":"' || tenancy.shown_instant(v.created_at) || '"') || '}',
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
              '"commitId":' || to_json(i.finding ->> 'commitId')::text,
              '"firstLine":' || (i.finding -> 'firstLine')::text, '"in":' || to_json(i.finding ->> 'in')::text,
              '"kind":' || to_json(i.finding ->> 'kind')::text, '"lastLine":' || (i.finding -> 'lastLine')::text,
              '"path":' || to_json(i.finding ->> 'path')::text) || '}', ',' ORDER BY i.place) || ']' AS listed
       FROM jsonb_array_elements(coalesce(l.content_findings, v.content_findings))
            WITH ORDINALITY AS i (finding, place)) AS f
   WHERE v.tenant_id = tenant
$$;
COMMENT ON FUNCTION reviews.merge_statements IS
  'Returns the statements of a tenant''s merge receipts as canonical JSON, each as it was at the merge (part 0), and '
  'as it is since a later verdict (part 1), with the fields that no receipt shows. reviews.get_merge_receipt and the '
  'functions of the sealed log call it.';
REVOKE ALL ON FUNCTION reviews.merge_statements FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.merge_statements TO plat_ledger_owner, plat_ledger_sealer;

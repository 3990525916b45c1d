CREATE OR REPLACE FUNCTION reviews.due_undone_work(tenant uuid, most integer)
RETURNS TABLE(review_id uuid, age_ms double precision, repository text, remote_url text, commit_id text,
  source_tip text, texts text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT v.review_id, extract(epoch FROM clock_timestamp() - d.created_at) * 1000, v.repository, v.remote_url,
         coalesce(l.landed_commit_id, v.landed_commit_id, v.commit_id, l.commit_id),
         coalesce(v.source_tip, l.source_tip),
         r.name || ARRAY(SELECT c.body FROM reviews.comments c
                          WHERE c.tenant_id = tenant AND c.review_id = d.review_id AND c.body ~* 'revert|undo'
                          LIMIT 1000)
    FROM (SELECT u.review_id, u.created_at FROM reviews.undone_work u
           WHERE u.tenant_id = tenant AND u.examined_at IS NULL
           ORDER BY u.created_at DESC LIMIT most) AS d
    JOIN reviews.reviews r ON r.tenant_id = tenant AND r.review_id = d.review_id
    JOIN reviews.verifications v ON v.tenant_id = tenant AND v.review_id = d.review_id
    LEFT JOIN reviews.later_contents l ON l.tenant_id = tenant AND l.review_id = d.review_id
   ORDER BY d.created_at DESC
$$;
COMMENT ON FUNCTION reviews.due_undone_work IS
  'Returns the newest merges of a tenant that are not compared with the landings before them yet, with the landed '
  'commit and the tip of the source, as far as they are known, and the texts in which the review may say what it '
  'reverts. The reviews service calls it after a merge, and when a receipt is read.';
REVOKE ALL ON FUNCTION reviews.due_undone_work FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.due_undone_work TO plat_reviews;

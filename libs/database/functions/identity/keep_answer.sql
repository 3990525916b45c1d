CREATE OR REPLACE FUNCTION identity.keep_answer(tenant uuid, asked text, request bytea, given text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.idempotency_keys (tenant_id, user_id, key, digest, answer)
  VALUES (tenant, tenancy.user_id(), asked, request, given);
  DELETE FROM identity.idempotency_keys k
   WHERE k.tenant_id = tenant AND (k.user_id, k.key) IN (
     SELECT o.user_id, o.key FROM identity.idempotency_keys o
      WHERE o.tenant_id = tenant AND o.answered_at <= clock_timestamp() - interval '24 hours'
      ORDER BY o.answered_at LIMIT 10 FOR UPDATE SKIP LOCKED);
$$;
COMMENT ON FUNCTION identity.keep_answer IS
  'Stores the data from which a request with a claimed key was answered, in the transaction of its work, and removes '
  'a few rows of the tenant that are older than 24 hours. The services call it after they have created something.';
REVOKE ALL ON FUNCTION identity.keep_answer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.keep_answer TO plat_builds, plat_platform, plat_releases, plat_reviews;

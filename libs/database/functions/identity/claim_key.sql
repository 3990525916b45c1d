CREATE OR REPLACE FUNCTION identity.claim_key(tenant uuid, asked text, request bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  usr   uuid := tenancy.user_id();
  known identity.idempotency_keys;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended(concat_ws('/', 'key', tenant, usr, asked), 0)) THEN
    PERFORM tenancy.refuse('IDEMPOTENCY_KEY_IN_USE');
  END IF;
  -- A statement of its own after the lock, so that it sees what the lock's last holder committed.
  SELECT * INTO known FROM identity.idempotency_keys k
   WHERE k.tenant_id = tenant AND k.user_id = usr AND k.key = asked;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF known.answered_at <= clock_timestamp() - interval '24 hours' THEN
    DELETE FROM identity.idempotency_keys k WHERE k.tenant_id = tenant AND k.user_id = usr AND k.key = asked;
    RETURN NULL;
  END IF;
  IF known.digest <> request THEN
    PERFORM tenancy.refuse('IDEMPOTENCY_KEY_REUSED');
  END IF;
  RETURN known.answer;
END
$$;
COMMENT ON FUNCTION identity.claim_key IS
  'Takes a key of the caller until the transaction ends. Returns NULL if it is free, else the answer of the request '
  'that had it. Raises PL001 with IDEMPOTENCY_KEY_IN_USE while another transaction has it, and with '
  'IDEMPOTENCY_KEY_REUSED if the request had another digest. The services call it before they create something.';
REVOKE ALL ON FUNCTION identity.claim_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.claim_key TO plat_builds, plat_platform, plat_releases, plat_reviews;

-- A creating request that is repeated with its Idempotency-Key is answered as it was, and does nothing.
-- Guarantees: the key's row commits with the work or not at all, so that a repeat finds it exactly if the work was done, also
-- where the first answer was lost. Two requests with one key never work at the same time. A key is the caller's own.
-- On a live table: one new table and functions; runs in milliseconds. The release before takes no keys.

SET ROLE plat_identity_owner;

CREATE TABLE identity.idempotency_keys (
  tenant_id   uuid NOT NULL,
  user_id     uuid NOT NULL,
  key         text COLLATE "C" NOT NULL CHECK (key ~ '^[!-~]{1,255}$'),
  -- SHA-256 of method, path and body
  digest      bytea NOT NULL CHECK (length(digest) = 32),
  -- JSON, as text so that it is answered byte for byte
  answer      text NOT NULL,
  answered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, user_id, key)
);
COMMENT ON TABLE identity.idempotency_keys IS
  'One row a creating request that named an Idempotency-Key, with what it was answered from. Rows older than 24 hours count '
  'as absent; each new row of a tenant removes up to ten of them. identity.claim_key and identity.keep_answer alone reach it.';
CREATE INDEX idempotency_keys_age ON identity.idempotency_keys (tenant_id, answered_at);

RESET ROLE;
CALL tenancy.protect('identity.idempotency_keys');
SET ROLE plat_identity_owner;

CREATE FUNCTION identity.claim_key(tenant uuid, asked text, request bytea) RETURNS text
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
  'Takes a key of the caller until the transaction ends. Returns NULL if it is free, else the answer of the request that '
  'had it. Raises PL001 with IDEMPOTENCY_KEY_IN_USE while another transaction has it, and with IDEMPOTENCY_KEY_REUSED if the '
  'request had another digest. The services call it before they create something.';

CREATE FUNCTION identity.keep_answer(tenant uuid, asked text, request bytea, given text) RETURNS void
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
  'Stores what a request with a claimed key was answered from, in the transaction of its work, and removes a few rows of the '
  'tenant that are older than 24 hours. The services call it after they have created something.';

REVOKE ALL ON FUNCTION identity.claim_key(uuid, text, bytea), identity.keep_answer(uuid, text, bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.claim_key(uuid, text, bytea), identity.keep_answer(uuid, text, bytea, text)
   TO plat_reviews, plat_builds, plat_releases, plat_platform;
RESET ROLE;

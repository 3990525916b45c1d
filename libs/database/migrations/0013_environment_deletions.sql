-- Environments as their tenants keep them, and the jobs that delete them.
-- Guarantees: a deletion that was asked for is a row until it has ended, whatever dies meanwhile; no two workers hold
-- its lease at once; an environment goes with its job in one statement. Builds keep the name of what is gone.
-- Adds a table and functions; runs in milliseconds.

SET ROLE plat_environments_owner;

CREATE TABLE environments.deletions (
  tenant_id          uuid NOT NULL,
  environment_id     uuid NOT NULL,
  requested_by       uuid NOT NULL,
  namespace          text NOT NULL,
  kubernetes_context text,
  -- How often a worker took it up, those that died on the way included.
  attempts           int NOT NULL DEFAULT 0,
  -- When it may be taken up: at once, after the pause that follows a failure, or when the lease has run out.
  due_at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_id           uuid,
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, environment_id),
  FOREIGN KEY (tenant_id, environment_id) REFERENCES environments.environments ON DELETE CASCADE
);
CREATE INDEX deletions_due ON environments.deletions (due_at);

RESET ROLE;
CALL tenancy.protect('environments.deletions');
SET ROLE plat_environments_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON environments.deletions TO plat_platform;
-- A worker asks for the next job before it knows whose it is; from then on it works for that tenant.
CREATE POLICY worker ON environments.deletions TO plat_environments_owner
  USING (tenancy.tenant_id() IS NULL) WITH CHECK (tenancy.tenant_id() IS NULL);

-- The environments that the caller may see, by name.
CREATE FUNCTION environments.list_environments(tenant uuid) RETURNS SETOF environments.environments
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM environments.environments e
   WHERE e.tenant_id = ANY (identity.readable_tenants(tenant)) ORDER BY e.name, e.environment_id;
END
$$;

CREATE FUNCTION environments.get_environment(tenant uuid, environment uuid) RETURNS SETOF environments.environments
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM environments.environments e
   WHERE e.tenant_id = ANY (identity.readable_tenants(tenant)) AND e.environment_id = environment;
END
$$;

-- `<tenant>-<env>`: an environment's namespace, and its label in the services zone. Spec: Client, Exposure plan.
CREATE FUNCTION environments.namespace_of(tenant uuid, named text) RETURNS text
LANGUAGE sql STABLE
RETURN identity.tenant_name(tenant) || '-' || named;

-- The unique constraint refuses a name that is taken.
CREATE FUNCTION environments.create_environment(tenant uuid, environment uuid, named text, kind text, context text)
RETURNS SETOF environments.environments
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  IF length(environments.namespace_of(tenant, named)) > 63 THEN
    PERFORM tenancy.refuse('INVALID_BODY', '{"field": "name"}',
      'name is too long: <tenant>-<name> must be a DNS label, of at most 63 characters.');
  END IF;
  RETURN QUERY INSERT INTO environments.environments (tenant_id, environment_id, name, type, kubernetes_context)
  VALUES (tenant, environment, named, kind, context) RETURNING *;
END
$$;

-- Records what the environment is exposed as (NULL: no more). No row when it is gone.
CREATE FUNCTION environments.set_exposed_hostname(tenant uuid, environment uuid, hostname text)
RETURNS SETOF environments.environments
LANGUAGE sql VOLATILE
AS $$
  UPDATE environments.environments e SET exposed_hostname = hostname, updated_at = clock_timestamp()
   WHERE e.tenant_id = tenant AND e.environment_id = environment RETURNING e.*
$$;

-- Asks for the deletion of an environment, whose row is locked before its job's: no row when the tenant has none. Asking again changes nothing while the job
-- is under way, and starts it anew once it is blocked.
CREATE FUNCTION environments.request_deletion(tenant uuid, environment uuid, usr uuid)
RETURNS SETOF environments.environments
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  entry environments.environments;
BEGIN
  SELECT * INTO entry FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF entry.status <> 'deleting' THEN
    UPDATE environments.environments e SET status = 'deleting', delete_error = NULL, updated_at = clock_timestamp()
     WHERE e.tenant_id = tenant AND e.environment_id = environment RETURNING * INTO STRICT entry;
    INSERT INTO environments.deletions (tenant_id, environment_id, requested_by, namespace, kubernetes_context)
    VALUES (tenant, environment, usr, environments.namespace_of(tenant, entry.name), entry.kubernetes_context);
  END IF;
  RETURN NEXT entry;
END
$$;

-- Takes the oldest job that is due, of any tenant, under a new lease; no row when none is. A job whose worker died is
-- due again when the lease has run out.
CREATE FUNCTION environments.claim_deletion(lease uuid, lease_seconds int) RETURNS SETOF environments.deletions
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE environments.deletions d
     SET lease_id = lease, attempts = d.attempts + 1,
         due_at = clock_timestamp() + make_interval(secs => lease_seconds)
   WHERE (d.tenant_id, d.environment_id) = (
     SELECT c.tenant_id, c.environment_id FROM environments.deletions c
      WHERE c.due_at <= clock_timestamp() ORDER BY c.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING d.*
$$;

-- The environment is gone, and its job with it. Nothing when the lease is another worker's by now.
CREATE FUNCTION environments.finish_deletion(tenant uuid, environment uuid, lease uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  DELETE FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment AND EXISTS (
     SELECT FROM environments.deletions d
      WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease);
  RETURN FOUND;
END
$$;

-- An attempt has failed: the job is due again after a pause.
CREATE FUNCTION environments.postpone_deletion(tenant uuid, environment uuid, lease uuid, pause_seconds int)
RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  UPDATE environments.deletions d
     SET lease_id = NULL, due_at = clock_timestamp() + make_interval(secs => pause_seconds)
   WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease;
  RETURN FOUND;
END
$$;

-- The last attempt has failed: the environment stays, and tells why.
CREATE FUNCTION environments.block_deletion(tenant uuid, environment uuid, lease uuid, reason text) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment FOR UPDATE;
  DELETE FROM environments.deletions d
   WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE environments.environments e
     SET status = 'deletion-blocked', delete_error = reason, updated_at = clock_timestamp()
   WHERE e.tenant_id = tenant AND e.environment_id = environment;
  RETURN true;
END
$$;

REVOKE ALL ON FUNCTION environments.list_environments(uuid), environments.get_environment(uuid, uuid),
  environments.namespace_of(uuid, text), environments.create_environment(uuid, uuid, text, text, text),
  environments.set_exposed_hostname(uuid, uuid, text), environments.request_deletion(uuid, uuid, uuid),
  environments.claim_deletion(uuid, int), environments.finish_deletion(uuid, uuid, uuid),
  environments.postpone_deletion(uuid, uuid, uuid, int), environments.block_deletion(uuid, uuid, uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.list_environments(uuid), environments.get_environment(uuid, uuid)
   TO plat_platform, plat_operations;
GRANT EXECUTE ON FUNCTION environments.namespace_of(uuid, text),
  environments.create_environment(uuid, uuid, text, text, text), environments.set_exposed_hostname(uuid, uuid, text),
  environments.request_deletion(uuid, uuid, uuid), environments.claim_deletion(uuid, int),
  environments.finish_deletion(uuid, uuid, uuid), environments.postpone_deletion(uuid, uuid, uuid, int),
  environments.block_deletion(uuid, uuid, uuid, text) TO plat_platform;
RESET ROLE;

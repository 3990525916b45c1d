-- The schema environments after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- Environments, their public names, and the jobs that delete them. The platform service and the database job write
-- it.
CREATE SCHEMA environments AUTHORIZATION plat_environments_owner;
GRANT USAGE ON SCHEMA environments TO plat_builds;
GRANT USAGE ON SCHEMA environments TO plat_builds_owner;
GRANT USAGE ON SCHEMA environments TO plat_figures_owner;
GRANT USAGE ON SCHEMA environments TO plat_inspector;
GRANT USAGE ON SCHEMA environments TO plat_operations;
GRANT USAGE ON SCHEMA environments TO plat_platform;

-- One row an environment. One that is to be deleted stays, as deleting or deletion-blocked, until a worker has
-- deleted what it stands for.
CREATE TABLE environments.environments (
  tenant_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'registered'::text,
  kubernetes_context text,
  exposed_hostname text,
  delete_error text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT environments_pkey PRIMARY KEY (tenant_id, environment_id),
  CONSTRAINT environments_tenant_id_name_key UNIQUE (tenant_id, name),
  CONSTRAINT environments_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants(tenant_id),
  CONSTRAINT environments_name_check CHECK ((name ~ '^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'::text)),
  CONSTRAINT environments_status_check CHECK ((status = ANY (ARRAY['registered'::text, 'deleting'::text, 'deletion-blocked'::text]))),
  CONSTRAINT environments_type_check CHECK ((type = ANY (ARRAY['local-agent'::text, 'remote-agent'::text, 'runtime'::text])))
);

-- One row a deletion that was asked for and has not ended. A worker holds it by a lease; due_at is when it may be
-- taken up, and attempts counts how often it was.
CREATE TABLE environments.deletions (
  tenant_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  requested_by uuid NOT NULL,
  namespace text NOT NULL,
  kubernetes_context text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  lease_id uuid,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT deletions_pkey PRIMARY KEY (tenant_id, environment_id),
  CONSTRAINT deletions_tenant_id_environment_id_fkey FOREIGN KEY (tenant_id, environment_id) REFERENCES environments.environments(tenant_id, environment_id) ON DELETE CASCADE
);

CREATE INDEX environments_deletion ON environments.environments USING btree (status) WHERE (status = ANY (ARRAY['deleting'::text, 'deletion-blocked'::text]));
CREATE UNIQUE INDEX environments_exposed_hostname ON environments.environments USING btree (exposed_hostname) WHERE (exposed_hostname IS NOT NULL);
CREATE INDEX deletions_due ON environments.deletions USING btree (due_at);

ALTER TABLE environments.environments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY figures ON environments.environments FOR SELECT TO plat_figures_owner USING (true);
CREATE POLICY inspection ON environments.environments FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON environments.environments FOR SELECT TO plat_environments_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON environments.environments USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE environments.deletions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON environments.deletions FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON environments.deletions FOR SELECT TO plat_environments_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON environments.deletions USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));
CREATE POLICY worker ON environments.deletions TO plat_environments_owner USING ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL)) WITH CHECK ((( SELECT tenancy.tenant_id() AS tenant_id) IS NULL));

-- Deletes the job and marks its environment as deletion-blocked with the reason; returns false if the lease is not
-- the job's any more. The worker of the platform service calls it after the last attempt that failed.
CREATE OR REPLACE FUNCTION environments.block_deletion(tenant uuid, environment uuid, lease uuid, reason text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

-- Takes the oldest due job of a tenant that is served under a new lease and returns it; no row if none is due. Which
-- tenant, the lease decides as a lot does. A job whose worker dies is due again when its lease ends, after an hour at
-- most. It sees jobs only while no tenant is entered; environments.claim_deletion_job calls it.
CREATE OR REPLACE FUNCTION environments.claim_deletion(lease uuid, lease_seconds integer)
 RETURNS SETOF environments.deletions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  asking uuid;
BEGIN
  FOR asking IN
    SELECT c.tenant_id FROM environments.deletions c WHERE c.due_at <= clock_timestamp()
     -- Another order with each lease, so that workers need not know whom they have served.
     GROUP BY c.tenant_id ORDER BY hashtextextended(c.tenant_id::text || lease, 0)
  LOOP
    CONTINUE WHEN NOT identity.is_open(asking);
    RETURN QUERY
    UPDATE environments.deletions d
       SET lease_id = lease, attempts = d.attempts + 1,
           due_at = clock_timestamp() + make_interval(secs => least(lease_seconds, 3600))
     WHERE (d.tenant_id, d.environment_id) = (
       SELECT c.tenant_id, c.environment_id FROM environments.deletions c
        WHERE c.tenant_id = asking AND c.due_at <= clock_timestamp()
        ORDER BY c.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING d.*;
    EXIT WHEN FOUND;
  END LOOP;
END
$function$;

-- Does what environments.claim_deletion does, and returns the job with a proof by which the worker speaks for the
-- user that asked for the deletion. The worker of the platform service calls it.
CREATE OR REPLACE FUNCTION environments.claim_deletion_job(lease uuid, lease_seconds integer)
 RETURNS TABLE(tenant_id uuid, environment_id uuid, requested_by uuid, namespace text, kubernetes_context text, attempts integer, lease_id uuid, proof text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT d.tenant_id, d.environment_id, d.requested_by, d.namespace, d.kubernetes_context, d.attempts, d.lease_id,
         identity.issue_proof(d.tenant_id, d.requested_by, identity.caller_digest(NULL, NULL, NULL))
    FROM environments.claim_deletion(lease, lease_seconds) d
$function$;

-- Adds an environment and returns it. Refuses with INVALID_BODY if its namespace is longer than 63 characters; a name
-- that is taken violates environments_tenant_id_name_key. The platform service calls it for POST /v1/environments.
CREATE OR REPLACE FUNCTION environments.create_environment(tenant uuid, environment uuid, named text, kind text, context text)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF length(environments.namespace_of(tenant, named)) > 63 THEN
    PERFORM tenancy.refuse('INVALID_BODY', '{"field": "name"}',
      'name is too long: <tenant>-<name> must be a DNS label, of at most 63 characters.');
  END IF;
  RETURN QUERY INSERT INTO environments.environments (tenant_id, environment_id, name, type, kubernetes_context)
  VALUES (tenant, environment, named, kind, context) RETURNING *;
END
$function$;

-- Returns the name of an environment of the tenant, or NULL. The functions that store a build ask it.
CREATE OR REPLACE FUNCTION environments.environment_name(tenant uuid, environment uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT e.name FROM environments.environments e WHERE e.tenant_id = tenant AND e.environment_id = environment $function$;

-- Deletes an environment with its job; returns false, and deletes nothing, if the lease is not the job's any more.
-- The worker of the platform service calls it.
CREATE OR REPLACE FUNCTION environments.finish_deletion(tenant uuid, environment uuid, lease uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment AND EXISTS (
     SELECT FROM environments.deletions d
      WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease);
  RETURN FOUND;
END
$function$;

-- Returns one visible environment, or no row. The platform service calls it for GET /v1/environments/{environment_id}
-- and before it exposes one.
CREATE OR REPLACE FUNCTION environments.get_environment(tenant uuid, environment uuid)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM environments.environments e
   WHERE e.tenant_id = ANY (identity.readable_tenants(tenant)) AND e.environment_id = environment;
END
$function$;

-- Returns all visible environments by name. It serves only a release from before 0020; tenancy.end_transition takes
-- it from the login.
CREATE OR REPLACE FUNCTION environments.list_environments(tenant uuid)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM environments.environments e
   WHERE e.tenant_id = ANY (identity.readable_tenants(tenant)) ORDER BY e.name, e.environment_id;
END
$function$;

-- Returns <tenant>-<name>: the namespace of an environment and its label in the services zone; NULL for a tenant that
-- is not entered. The platform service calls it for PUT and DELETE /v1/environments/{environment_id}/hostname;
-- environments.create_environment and environments.request_deletion call it too.
CREATE OR REPLACE FUNCTION environments.namespace_of(tenant uuid, named text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN ((identity.tenant_name(tenant) || '-'::text) || named);

-- Returns one page of the visible environments by name, after the given place. The platform service calls it for GET
-- /v1/environments.
CREATE OR REPLACE FUNCTION environments.page_environments(tenant uuid, after_name text, after_id uuid, page integer)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM environments.environments e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.name, e.environment_id) > ($2, $3)' ELSE '' END,
    'e.name, e.environment_id', '$4')
    USING tenant, after_name, after_id, page;
END
$function$;

-- Ends a lease and makes the job due again after a pause of an hour at most; returns false if the lease is not the
-- job's any more. The worker of the platform service calls it after an attempt that failed.
CREATE OR REPLACE FUNCTION environments.postpone_deletion(tenant uuid, environment uuid, lease uuid, pause_seconds integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE environments.deletions d
     SET lease_id = NULL, due_at = clock_timestamp() + make_interval(secs => least(pause_seconds, 3600))
   WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease;
  RETURN FOUND;
END
$function$;

-- Marks an environment as deleting, adds the job that deletes it for the transaction's user, and returns the
-- environment; no row if the tenant has none of that id. A repetition changes nothing while the job exists, and adds
-- a new job after it was blocked. The platform service calls it for DELETE /v1/environments/{environment_id}.
CREATE OR REPLACE FUNCTION environments.request_deletion(tenant uuid, environment uuid, usr uuid)
 RETURNS SETOF environments.environments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
    VALUES (tenant, environment, tenancy.user_id(), environments.namespace_of(tenant, entry.name),
            entry.kubernetes_context);
  END IF;
  RETURN NEXT entry;
END
$function$;

-- Stores the public name of an environment, NULL for none, and returns the environment; no row if the tenant has none
-- of that id. The platform service calls it for PUT and DELETE /v1/environments/{environment_id}/hostname.
CREATE OR REPLACE FUNCTION environments.set_exposed_hostname(tenant uuid, environment uuid, hostname text)
 RETURNS SETOF environments.environments
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE environments.environments e SET exposed_hostname = hostname, updated_at = clock_timestamp()
   WHERE e.tenant_id = tenant AND e.environment_id = environment RETURNING e.*
$function$;

GRANT SELECT ON environments.deletions TO plat_inspector;
GRANT SELECT (status) ON environments.environments TO plat_figures_owner;
GRANT SELECT ON environments.environments TO plat_inspector;
GRANT EXECUTE ON FUNCTION environments.block_deletion(uuid,uuid,uuid,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.claim_deletion_job(uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.create_environment(uuid,uuid,text,text,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.environment_name(uuid,uuid) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION environments.finish_deletion(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.get_environment(uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.namespace_of(uuid,text) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.page_environments(uuid,text,uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.postpone_deletion(uuid,uuid,uuid,integer) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.request_deletion(uuid,uuid,uuid) TO plat_platform;
GRANT EXECUTE ON FUNCTION environments.set_exposed_hostname(uuid,uuid,text) TO plat_platform;

-- Environments: what a build without a review belongs to.
-- Guarantees: a name is unique in its tenant; other owners ask by a published function, for the caller's tenant only.

CREATE SCHEMA environments AUTHORIZATION plat_environments_owner;
GRANT USAGE ON SCHEMA environments TO plat_platform, plat_builds, plat_operations;
SET ROLE plat_environments_owner;

CREATE TABLE environments.environments (
  tenant_id          uuid NOT NULL REFERENCES identity.tenants,
  environment_id     uuid NOT NULL,
  name               text NOT NULL CHECK (name ~ '^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'),
  type               text NOT NULL CHECK (type IN ('local-agent', 'remote-agent', 'runtime')),
  status             text NOT NULL DEFAULT 'registered' CHECK (status IN ('registered', 'deleting', 'deletion-blocked')),
  kubernetes_context text,
  exposed_hostname   text,
  delete_error       text,
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, environment_id),
  UNIQUE (tenant_id, name)
);

RESET ROLE;
CALL tenancy.protect('environments.environments');
SET ROLE plat_environments_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON environments.environments TO plat_platform;

-- The name of one of the caller's own environments; NULL when there is none with that id.
CREATE FUNCTION environments.environment_name(tenant uuid, environment uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT e.name FROM environments.environments e WHERE e.tenant_id = tenant AND e.environment_id = environment $$;

REVOKE ALL ON FUNCTION environments.environment_name(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.environment_name(uuid, uuid) TO plat_builds;
RESET ROLE;

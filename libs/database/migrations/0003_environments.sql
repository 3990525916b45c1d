-- Environments, their public names, and the jobs that delete them.

SET ROLE plat_environments_owner;

CREATE TABLE environments.environments (
  tenant_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'registered',
  kubernetes_context text,
  exposed_hostname text,
  delete_error text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT environments_pkey PRIMARY KEY (tenant_id, environment_id),
  CONSTRAINT environments_tenant_id_name_key UNIQUE (tenant_id, name),
  CONSTRAINT environments_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants (tenant_id),
  CONSTRAINT environments_name_check CHECK (name ~ '^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'),
  CONSTRAINT environments_status_check CHECK (status IN ('registered', 'deleting', 'deletion-blocked')),
  CONSTRAINT environments_type_check CHECK (type IN ('local-agent', 'remote-agent', 'runtime'))
);
COMMENT ON TABLE environments.environments IS
  'One row for each environment. An environment that is to be deleted stays, as deleting or deletion-blocked, until a '
  'worker has deleted its namespace and its public name.';
CREATE INDEX environments_deletion
  ON environments.environments (status) WHERE status IN ('deleting', 'deletion-blocked');
CREATE UNIQUE INDEX environments_exposed_hostname
  ON environments.environments (exposed_hostname) WHERE exposed_hostname IS NOT NULL;

CREATE TABLE environments.deletions (
  tenant_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  requested_by uuid NOT NULL,
  namespace text NOT NULL,
  kubernetes_context text,
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_id uuid,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT deletions_pkey PRIMARY KEY (tenant_id, environment_id),
  CONSTRAINT deletions_tenant_id_environment_id_fkey
    FOREIGN KEY (tenant_id, environment_id) REFERENCES environments.environments (tenant_id, environment_id) ON DELETE CASCADE
);
COMMENT ON TABLE environments.deletions IS
  'One row for each requested deletion that has not ended. A worker holds it by a lease. due_at is the time from '
  'which a worker may claim it, and attempts counts the claims.';
CREATE INDEX deletions_due ON environments.deletions (due_at);

RESET ROLE;

CALL tenancy.protect('environments.environments');
CREATE POLICY figures ON environments.environments FOR SELECT TO plat_figures_owner USING (true);
GRANT SELECT (status) ON environments.environments TO plat_figures_owner;

CALL tenancy.protect('environments.deletions');
CREATE POLICY worker ON environments.deletions TO plat_environments_owner
  USING ((SELECT tenancy.tenant_id()) IS NULL) WITH CHECK ((SELECT tenancy.tenant_id()) IS NULL);

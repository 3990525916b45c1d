-- The trail of authorized requests, partitioned by month, the holds on its months, and the record of pruned months.

SET ROLE plat_audit_owner;

CREATE TABLE audit.audit_events (
  tenant_id uuid NOT NULL,
  audit_event_id uuid NOT NULL,
  request_id text NOT NULL,
  erun_user_id uuid NOT NULL,
  external_user_id text NOT NULL,
  external_issuer_id text NOT NULL,
  external_org_id text,
  type text NOT NULL,
  api_method text,
  api_path text,
  mcp_tool text,
  cli_command text,
  api_parameters jsonb,
  mcp_tool_parameters jsonb,
  cli_parameters jsonb,
  created_at timestamptz NOT NULL,
  caller_request_id text,
  written_in xid8 DEFAULT pg_current_xact_id(),
  CONSTRAINT audit_events_pkey PRIMARY KEY (tenant_id, created_at, audit_event_id),
  CONSTRAINT audit_events_api CHECK (type <> 'API' OR num_nulls(api_method, api_path) = 0),
  CONSTRAINT audit_events_api_path_check CHECK (api_path ~ '^/v1/[a-z0-9_/{}-]*$'),
  CONSTRAINT audit_events_caller_request_id CHECK (caller_request_id ~ '^[A-Za-z0-9._-]{1,64}$'),
  CONSTRAINT audit_events_check1 CHECK ((type = 'MCP') = (mcp_tool IS NOT NULL)),
  CONSTRAINT audit_events_check2 CHECK (num_nonnulls(api_method, api_path) <> 1),
  CONSTRAINT audit_events_mcp_tool_check CHECK (mcp_tool ~ '^[a-z][a-z0-9_-]{0,63}$'),
  CONSTRAINT audit_events_type_check CHECK (type IN ('API', 'MCP', 'CLI'))
) PARTITION BY RANGE (created_at);
COMMENT ON TABLE audit.audit_events IS
  'One row for each authorized request, written before the request acts. No function changes or deletes one, and none '
  'returns the arguments of a request. Partitioned by month.';
CREATE INDEX audit_events_user ON audit.audit_events (tenant_id, erun_user_id, created_at, audit_event_id);
CREATE INDEX audit_events_api ON audit.audit_events (tenant_id, api_method, api_path, created_at, audit_event_id);
CREATE INDEX audit_events_rare_type
  ON audit.audit_events (tenant_id, type, created_at, audit_event_id) WHERE type <> 'API';
CREATE INDEX audit_events_path ON audit.audit_events (tenant_id, api_path, created_at, audit_event_id);
CREATE INDEX audit_events_method ON audit.audit_events (tenant_id, api_method, created_at, audit_event_id);
CREATE INDEX audit_events_written ON audit.audit_events (tenant_id, written_in);

CREATE TABLE audit.holds (
  hold_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  covers tstzrange NOT NULL,
  kept_until timestamptz NOT NULL,
  reason text NOT NULL,
  CONSTRAINT holds_pkey PRIMARY KEY (hold_id),
  CONSTRAINT holds_covers_check CHECK (NOT isempty(covers)),
  CONSTRAINT holds_reason_check CHECK (reason <> '')
);
COMMENT ON TABLE audit.holds IS
  'One row for each period whose rows of the trail are not pruned before kept_until. The period that an operator '
  'names for a prune does not change that. The owner of the database writes it; audit.prunable_partitions and '
  'audit.drop_partition obey it. It has no rows of tenants.';

CREATE TABLE audit.pruned_partitions (
  export text NOT NULL,
  partition text NOT NULL,
  covers tstzrange NOT NULL,
  rows bigint NOT NULL,
  digest numeric NOT NULL,
  sha256 text NOT NULL,
  exported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  dropped_at timestamptz,
  CONSTRAINT pruned_partitions_pkey PRIMARY KEY (export),
  CONSTRAINT pruned_partitions_export_check CHECK (export ~ '^[a-z0-9_]{1,80}$'),
  CONSTRAINT pruned_partitions_rows_check CHECK (rows >= 0),
  CONSTRAINT pruned_partitions_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
COMMENT ON TABLE audit.pruned_partitions IS
  'One row for each partition of the trail that has been exported to be pruned, with the facts about its export; '
  'dropped_at is NULL until it is dropped. Rows are kept, so that an export can be checked against them later. It has '
  'no rows of tenants.';
CREATE UNIQUE INDEX pruned_partitions_under_way ON audit.pruned_partitions (partition) WHERE dropped_at IS NULL;

RESET ROLE;

CALL tenancy.protect('audit.audit_events');
CREATE POLICY erasing ON audit.audit_events FOR UPDATE TO plat_ledger_sealer USING (true) WITH CHECK (true);
CREATE POLICY recorder ON audit.audit_events FOR INSERT TO plat_audit_owner WITH CHECK (true);
CREATE POLICY sealing ON audit.audit_events FOR SELECT TO plat_ledger_sealer USING (true);
REVOKE SELECT ON audit.audit_events FROM plat_inspector;
GRANT SELECT ON audit.audit_events TO plat_ledger_sealer;
GRANT SELECT (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
  external_org_id, type, api_method, api_path, mcp_tool, cli_command, created_at, caller_request_id, written_in)
  ON audit.audit_events TO plat_inspector;
GRANT SELECT (tenant_id, audit_event_id, erun_user_id, external_user_id, external_issuer_id, external_org_id, type,
  api_method, api_path, mcp_tool, cli_command, created_at)
  ON audit.audit_events TO plat_ledger_owner;
GRANT UPDATE (external_user_id, api_parameters, mcp_tool_parameters, cli_parameters, caller_request_id)
  ON audit.audit_events TO plat_ledger_sealer;

GRANT SELECT ON audit.pruned_partitions TO plat_inspector;

DO $$
BEGIN
  EXECUTE format('CREATE TABLE audit.audit_events_early PARTITION OF audit.audit_events FOR VALUES FROM (MINVALUE) TO (%L)',
                 date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC');
  COMMENT ON TABLE audit.audit_events_early IS
    'The rows of the trail that are older than the month of the installation, such as those of a tenant that comes from another database.';
  ALTER TABLE audit.audit_events_early OWNER TO plat_audit_owner;
  CALL tenancy.lock_partition('audit.audit_events_early');
END
$$;

-- The audit trail: one row for each authorized request, written before the request acts.
-- Guarantees: append-only by grant (nobody has INSERT, UPDATE or DELETE; rows enter by audit.record only), and
-- the serialized arguments cannot be read back by the service that lists the trail.
-- Partitioned by time from the start; the default partition takes what no month has been made for.

CREATE SCHEMA audit AUTHORIZATION plat_audit_owner;
GRANT USAGE ON SCHEMA audit TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform, plat_operations;
SET ROLE plat_audit_owner;

CREATE TABLE audit.audit_events (
  tenant_id           uuid NOT NULL,
  audit_event_id      uuid NOT NULL,
  request_id          text NOT NULL,
  erun_user_id        uuid NOT NULL,
  external_user_id    text NOT NULL,
  external_issuer_id  text NOT NULL,
  external_org_id     text,
  type                text NOT NULL CHECK (type IN ('API', 'MCP', 'CLI')),
  api_method          text,
  api_path            text CHECK (api_path ~ '^/v1/[a-z0-9_/{}-]*$'),
  mcp_tool            text CHECK (mcp_tool ~ '^[a-z][a-z0-9_-]{0,63}$'),
  cli_command         text,
  api_parameters      jsonb,
  mcp_tool_parameters jsonb,
  cli_parameters      jsonb,
  created_at          timestamptz NOT NULL,
  -- Also the index of a listing by time.
  PRIMARY KEY (tenant_id, created_at, audit_event_id),
  CHECK ((type = 'API') = (api_method IS NOT NULL AND api_path IS NOT NULL)),
  CHECK ((type = 'MCP') = (mcp_tool IS NOT NULL)),
  CHECK (num_nonnulls(api_method, api_path) <> 1)
) PARTITION BY RANGE (created_at);

CREATE TABLE audit.audit_events_default PARTITION OF audit.audit_events DEFAULT;
CREATE INDEX audit_events_user ON audit.audit_events (tenant_id, erun_user_id, created_at, audit_event_id);
CREATE INDEX audit_events_api ON audit.audit_events (tenant_id, api_method, api_path, created_at, audit_event_id);

RESET ROLE;
CALL tenancy.protect('audit.audit_events');
CALL tenancy.lock_partition('audit.audit_events_default');
SET ROLE plat_audit_owner;

-- Columns, not the table: the arguments stay out of reach of every reader.
REVOKE SELECT ON audit.audit_events FROM plat_operations;
GRANT SELECT (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
              external_org_id, type, api_method, api_path, mcp_tool, cli_command, created_at)
   ON audit.audit_events TO plat_audit, plat_operations;

-- Rows of one batch belong to several tenants: the recorder may insert for any, and read none.
CREATE POLICY recorder ON audit.audit_events FOR INSERT TO plat_audit_owner WITH CHECK (true);

-- Writes the rows of the requests that wait at this moment, in one statement.
-- `rows` is a JSON array in the fields of the contract; one clock reading a row keeps their order.
CREATE FUNCTION audit.record(rows jsonb) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
    external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
  SELECT r."tenantId", r."auditEventId", r."requestId", r."erunUserId", r."externalUserId", r."externalIssuerId",
         r."externalOrgId", r.type, r."apiMethod", r."apiPath", r."mcpTool", r."apiParameters", clock_timestamp()
    FROM jsonb_to_recordset(rows) AS r("tenantId" uuid, "auditEventId" uuid, "requestId" text, "erunUserId" uuid,
         "externalUserId" text, "externalIssuerId" text, "externalOrgId" text, type text, "apiMethod" text,
         "apiPath" text, "mcpTool" text, "apiParameters" jsonb)
$$;

REVOKE ALL ON FUNCTION audit.record(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit.record(jsonb) TO plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform;
RESET ROLE;
CALL tenancy.make_partitions('audit.audit_events', current_date, 3);

-- What a service's login can do when its service is taken over (docs/decisions/0017): call the published functions of
-- its own service, for the tenants whose callers it can prove, and nothing else. It reads and writes no table.
-- Guarantees: every function that a service calls runs with its owner's rights and asks for the tenant by row-level
-- security; what one owner calls of another is granted to that owner and to no login.
-- The release before still needs some of what is taken away: tenancy.end_transition takes it, called by the job at once
-- where there is no tenant yet, and by the operator when the last of the old replicas has gone (npm run db -- finish).
-- Grants and functions only; runs in milliseconds.

-- Reads every tenant's rows, for the owner alone: what `npm run invariants` takes on. No login is ever granted it.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plat_inspector') THEN
    CREATE ROLE plat_inspector NOLOGIN;
  END IF;
  GRANT plat_inspector TO CURRENT_USER;
END
$$;
GRANT USAGE ON SCHEMA identity, reviews, builds, releases, audit, environments TO plat_inspector;

-- As before (0023), and the inspector may read.
CREATE OR REPLACE PROCEDURE tenancy.protect(target regclass)
LANGUAGE plpgsql
AS $$
DECLARE
  owner_role name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = target);
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY tenant ON %s USING (tenant_id = (SELECT tenancy.tenant_id()))
                  WITH CHECK (tenant_id = (SELECT tenancy.tenant_id()))', target);
  EXECUTE format('CREATE POLICY operations_published ON %s FOR SELECT TO %I USING ((SELECT tenancy.across()))',
                 target, owner_role);
  EXECUTE format('CREATE POLICY inspection ON %s FOR SELECT TO plat_inspector USING (true)', target);
  EXECUTE format('GRANT SELECT ON %s TO plat_inspector', target);
END
$$;

DO $$
DECLARE
  target record;
BEGIN
  FOR target IN SELECT p.polrelid::regclass AS name FROM pg_policy p WHERE p.polname = 'tenant'
  LOOP
    EXECUTE format('CREATE POLICY inspection ON %s FOR SELECT TO plat_inspector USING (true)', target.name);
    EXECUTE format('GRANT SELECT ON %s TO plat_inspector', target.name);
  END LOOP;
  -- Columns, not the table: the arguments of a request stay out of reach of every reader.
  REVOKE SELECT ON audit.audit_events FROM plat_inspector;
  GRANT SELECT (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
                external_org_id, type, api_method, api_path, mcp_tool, cli_command, created_at)
     ON audit.audit_events TO plat_inspector;
END
$$;

DO $$
DECLARE
  called text;
BEGIN
  FOREACH called IN ARRAY ARRAY[
    'reviews.advance(uuid, text, text, boolean)', 'reviews.get_review(uuid, uuid)',
    'reviews.list_reviews(uuid, text, text, text, text, uuid, uuid)', 'reviews.list_merge_queue(uuid, text, text)',
    'reviews.merge_case(uuid, uuid, uuid, text)', 'reviews.hold_review(uuid, uuid)',
    'reviews.create_gate_run(uuid, uuid, text, text, text, text, uuid, text, text, text)',
    'reviews.decide_gate_run(uuid, uuid, text, text, text)', 'reviews.get_gate_run(uuid, uuid)',
    'reviews.list_gate_runs(uuid, text, text, text, uuid, timestamptz, uuid, int)',
    'reviews.get_merge_receipt(uuid, uuid)',
    'builds.report_review_build(uuid, uuid, uuid, text, boolean, text, text, text, uuid)',
    'builds.report_environment_build(uuid, uuid, uuid, boolean, text, text, text)',
    'builds.list_review_builds(uuid, uuid)', 'builds.get_review_build(uuid, uuid, uuid)',
    'builds.list_builds(uuid, uuid, text, boolean, timestamptz, timestamptz, timestamptz, uuid, int)',
    'releases.list_review_releases(uuid, uuid)', 'releases.list_releases(uuid, text, uuid, text)',
    'releases.get_release(uuid, uuid)',
    'environments.list_environments(uuid)', 'environments.get_environment(uuid, uuid)',
    'environments.namespace_of(uuid, text)', 'environments.create_environment(uuid, uuid, text, text, text)',
    'environments.set_exposed_hostname(uuid, uuid, text)', 'environments.finish_deletion(uuid, uuid, uuid)',
    'environments.postpone_deletion(uuid, uuid, uuid, int)', 'environments.block_deletion(uuid, uuid, uuid, text)',
    'audit.list_events(uuid, timestamptz, timestamptz, uuid, text, text, text, timestamptz, uuid, int)']
  LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = pg_catalog, pg_temp', called);
  END LOOP;
END
$$;

SET ROLE plat_environments_owner;
GRANT USAGE ON SCHEMA environments TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION environments.environment_name(uuid, uuid) TO plat_builds_owner;

-- As before (0013); who asks is the transaction's caller.
CREATE OR REPLACE FUNCTION environments.request_deletion(tenant uuid, environment uuid, usr uuid)
RETURNS SETOF environments.environments
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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
    VALUES (tenant, environment, tenancy.user_id(), environments.namespace_of(tenant, entry.name),
            entry.kubernetes_context);
  END IF;
  RETURN NEXT entry;
END
$$;

-- As claim_deletion (0013), with the proof by which the worker speaks for who asked.
CREATE FUNCTION environments.claim_deletion_job(lease uuid, lease_seconds int)
RETURNS TABLE (tenant_id uuid, environment_id uuid, requested_by uuid, namespace text, kubernetes_context text,
               attempts int, lease_id uuid, proof text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT d.tenant_id, d.environment_id, d.requested_by, d.namespace, d.kubernetes_context, d.attempts, d.lease_id,
         identity.issue_proof(d.tenant_id, d.requested_by, identity.caller_digest(NULL, NULL, NULL))
    FROM environments.claim_deletion(lease, lease_seconds) d
$$;
REVOKE ALL ON FUNCTION environments.claim_deletion_job(uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.claim_deletion_job(uuid, int) TO plat_platform;
RESET ROLE;

SET ROLE plat_reviews_owner;
GRANT EXECUTE ON FUNCTION reviews.apply_build(uuid, uuid, uuid, text, boolean),
                          reviews.begin_build_report(uuid, uuid) TO plat_builds_owner;
RESET ROLE;
SET ROLE plat_builds_owner;
GRANT EXECUTE ON FUNCTION builds.build_facts(uuid, uuid) TO plat_reviews_owner;
RESET ROLE;
SET ROLE plat_releases_owner;
GRANT USAGE ON SCHEMA releases TO plat_reviews_owner;
GRANT EXECUTE ON FUNCTION releases.enqueue(uuid, uuid, uuid, text, text) TO plat_reviews_owner;
RESET ROLE;
SET ROLE plat_identity_owner;
GRANT EXECUTE ON FUNCTION identity.readable_tenants(uuid) TO plat_audit_owner;
RESET ROLE;

-- Takes away what only the release before needs, and believes no tenant that is merely named from then on. The last
-- statement of a transition: idempotent, and quick.
CREATE PROCEDURE tenancy.end_transition()
LANGUAGE plpgsql
AS $$
DECLARE
  login  name;
  target record;
BEGIN
  FOR target IN SELECT c.oid::regclass AS name FROM pg_class c
                 WHERE c.relkind IN ('r', 'p', 'S') AND pg_get_userbyid(c.relowner) LIKE 'plat\_%\_owner'
  LOOP
    FOREACH login IN ARRAY ARRAY['plat_reviews', 'plat_builds', 'plat_releases', 'plat_audit', 'plat_platform',
                                 'plat_operations']::name[]
    LOOP
      EXECUTE format('REVOKE ALL ON %s FROM %I', target.name, login);
    END LOOP;
  END LOOP;
  -- Columns have grants of their own.
  REVOKE ALL (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id, external_org_id,
              type, api_method, api_path, mcp_tool, cli_command, created_at)
    ON audit.audit_events FROM plat_audit, plat_operations;
  REVOKE ALL (verdict, failing_step, log_ref, updated_at) ON reviews.gate_runs FROM plat_reviews;

  FOR target IN SELECT p.polname AS policy, p.polrelid::regclass AS name FROM pg_policy p WHERE p.polname = 'operations'
  LOOP
    EXECUTE format('DROP POLICY operations ON %s', target.name);
  END LOOP;

  FOR target IN SELECT f.oid::regprocedure AS name FROM pg_proc f
                 WHERE pg_get_userbyid(f.proowner) LIKE 'plat\_%\_owner'
                   AND has_function_privilege('plat_operations', f.oid, 'EXECUTE')
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM plat_operations', target.name);
  END LOOP;

  REVOKE EXECUTE ON FUNCTION
    reviews.lock_queue(uuid, text), reviews.lock_review(uuid, uuid), reviews.log_move(reviews.reviews, text),
    reviews.make_ready(reviews.reviews, uuid), reviews.fail(reviews.reviews, uuid), reviews.close(reviews.reviews),
    reviews.head_of(uuid, text, text), reviews.next_waiting_repository(uuid, text, text),
    reviews.refuse_ambiguous(uuid, text), reviews.occupant(uuid, text, text, boolean),
    reviews.look_at_head(uuid, text, text), reviews.open_threads(reviews.reviews), reviews.promote(reviews.reviews),
    reviews.may_continue(reviews.reviews), reviews.anchor(uuid, text, text), reviews.review_exists(uuid, uuid),
    reviews.apply_build(uuid, uuid, uuid, text, boolean), reviews.begin_build_report(uuid, uuid),
    reviews.list_reviews(uuid, text, text, text, text, uuid, uuid), reviews.list_merge_queue(uuid, text, text),
    builds.build_facts(uuid, uuid), releases.enqueue(uuid, uuid, uuid, text, text) FROM plat_reviews;
  REVOKE EXECUTE ON FUNCTION
    reviews.review_exists(uuid, uuid), reviews.apply_build(uuid, uuid, uuid, text, boolean),
    reviews.begin_build_report(uuid, uuid), environments.environment_name(uuid, uuid),
    builds.list_review_builds(uuid, uuid) FROM plat_builds;
  REVOKE EXECUTE ON FUNCTION reviews.review_exists(uuid, uuid), releases.list_releases(uuid, text, uuid, text),
    releases.list_review_releases(uuid, uuid) FROM plat_releases;
  REVOKE EXECUTE ON FUNCTION environments.claim_deletion(uuid, int), environments.list_environments(uuid),
    identity.list_users(uuid), identity.list_roles(uuid), identity.tenant_name(uuid) FROM plat_platform;
  REVOKE EXECUTE ON FUNCTION audit.record(jsonb), identity.resolve(text, text, text), identity.readable_tenants(uuid)
    FROM plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform;

  UPDATE identity.proof_keys SET release_before = false, closed = true;
END
$$;
REVOKE ALL ON PROCEDURE tenancy.end_transition() FROM PUBLIC;

-- Large objects are under no policy and no quota. The functions belong to whoever made the cluster: where that is
-- somebody else, this warns and changes nothing, and `npm run db -- status` tells of it.
DO $$
DECLARE
  called regprocedure;
BEGIN
  FOR called IN SELECT p.oid FROM pg_proc p
                 WHERE p.pronamespace = 'pg_catalog'::regnamespace
                   AND (p.proname LIKE 'lo\_%' OR p.proname IN ('loread', 'lowrite')) AND p.proname <> 'lo_close'
                   -- Of what PUBLIC has: for anything else PostgreSQL refuses an owner who is no superuser.
                   AND EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
                                WHERE a.grantee = 0)
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', called);
  END LOOP;
END
$$;

-- A comment on each function and table of builds, releases, audit and environments, as 0048 has them for tenancy and
-- identity.
-- Changes no body, right or row. On a live table: SHARE UPDATE EXCLUSIVE, as 0048, which stops no reader and no writer.

SET ROLE plat_builds_owner;

COMMENT ON SCHEMA builds IS 'Build reports, which are never changed. The builds service is their only writer.';
COMMENT ON TABLE builds.builds IS
  'One row a build report, of a review or of an environment, which keeps the name of either. No function changes or '
  'deletes one. Partitioned by month, through the time in the id.';
COMMENT ON TABLE builds.builds_default IS
  'The partition of the builds of which no month has a partition. It stays empty while the months are made ahead.';

COMMENT ON FUNCTION builds.make_partitions IS
  'Makes the partitions of builds.builds for a year from this month, and returns true; returns false if it does not '
  'have a lock within half a second. The builds service calls it at its start and each day.';
COMMENT ON FUNCTION builds.build_facts IS
  'Returns review, kind, outcome and commit of a build of the tenant, or no row. The functions of reviews ask it, so '
  'that none believes what its caller says of a build.';
COMMENT ON FUNCTION builds.report_review_build IS
  'Stores a build of a review, moves the review by it (reviews.apply_build) and returns the build; no row if the '
  'tenant has no such review. Refuses with NOT_FOUND if an environment is given that the tenant does not have; the '
  'environment is not stored. The builds service calls it for POST /v1/reviews/{review_id}/builds.';
COMMENT ON FUNCTION builds.report_environment_build IS
  'Stores a RECORDED build of an environment and returns it. Refuses with NOT_FOUND if the tenant has no such '
  'environment. The builds service calls it for POST /v1/builds.';
COMMENT ON FUNCTION builds.get_review_build IS
  'Returns one visible build of a review, or no row. The builds service calls it for GET '
  '/v1/reviews/{review_id}/builds/{build_id}.';
COMMENT ON FUNCTION builds.list_builds IS
  'Returns one page of the visible builds, newest first, after the given place; a NULL filter asks for nothing. The '
  'builds service calls it for GET /v1/builds.';
COMMENT ON FUNCTION builds.page_review_builds IS
  'Returns one page of a review''s builds, newest first, after the given place. Refuses with NOT_FOUND if no such '
  'review is visible. The builds service calls it for GET /v1/reviews/{review_id}/builds.';
COMMENT ON FUNCTION builds.list_review_builds IS
  'Returns all builds of a visible review. Refuses with NOT_FOUND if none is visible. It serves only a release from '
  'before 0020; tenancy.end_transition takes it from the login.';
RESET ROLE;

SET ROLE plat_releases_owner;

COMMENT ON SCHEMA releases IS 'The release queue: one release a commit, one running a tenant, first in, first out.';
COMMENT ON TABLE releases.releases IS
  'One row a (tenant, commit). Checks tie version to released and failure_reason to failed; an index allows one '
  'running release a tenant.';
COMMENT ON TABLE releases.lines IS
  'One row a tenant, whose lock every move of its release queue holds, and when its last release finished.';

COMMENT ON FUNCTION releases.lock_line IS
  'Takes the lock of a tenant''s release queue until the transaction ends, and returns when its last release '
  'finished, or NULL. Every move of the queue calls it first.';
COMMENT ON FUNCTION releases.enqueue IS
  'Queues the release of a commit, or returns the one that it has; created says which. A failed one is queued again, '
  'with its attempt raised and its id and place kept. Refuses with NOT_FOUND for a review that is not visible. '
  'reviews.accept_queue_merge calls it, and the releases service for POST /v1/releases.';
COMMENT ON FUNCTION releases.claim IS
  'Starts the tenant''s oldest queued release and returns it. No row if none is queued, if one is running, or if the '
  'last one finished less than the cooldown ago. It is for a runner of releases; no service calls it.';
COMMENT ON FUNCTION releases.finish IS
  'Ends the running attempt of a release, as released with a version or as failed with a reason, and returns it; '
  'checks refuse both or neither. No row unless exactly this attempt is running. releases.fail_stale calls it; '
  'otherwise it is for a runner of releases.';
COMMENT ON FUNCTION releases.fail_stale IS
  'Fails the tenant''s release that has been running for longer than stale_after, and returns it; no row if there is '
  'none. It is for a runner of releases; no service calls it.';
COMMENT ON FUNCTION releases.get_release IS
  'Returns one visible release, or no row. The releases service calls it for GET /v1/releases/{release_id}.';
COMMENT ON FUNCTION releases.page_releases IS
  'Returns one page of the visible releases, newest first, after the given place; a NULL filter asks for nothing. '
  'The releases service calls it for GET /v1/releases.';
COMMENT ON FUNCTION releases.page_review_releases IS
  'Returns one page of a review''s releases, newest first, after the given place. Refuses with NOT_FOUND if no such '
  'review is visible. The releases service calls it for GET /v1/reviews/{review_id}/releases.';
COMMENT ON FUNCTION releases.list_releases IS
  'Returns all visible releases that the filters ask for. It serves only a release from before 0020; '
  'tenancy.end_transition takes it from the login.';
COMMENT ON FUNCTION releases.list_review_releases IS
  'Returns all releases of a visible review. Refuses with NOT_FOUND if none is visible. It serves only a release '
  'from before 0020; tenancy.end_transition takes it from the login.';
RESET ROLE;

SET ROLE plat_audit_owner;

COMMENT ON SCHEMA audit IS
  'The audit trail. Every service writes it, by audit.record_requests; the audit service reads it.';
COMMENT ON TABLE audit.audit_events IS
  'One row an authorized request, written before the request acts. No function changes or deletes one, and none '
  'returns the arguments of a request. Partitioned by month.';
COMMENT ON TABLE audit.audit_events_default IS
  'The partition of the rows of which no month has a partition. It stays empty while the months are made ahead.';

COMMENT ON FUNCTION audit.make_partitions IS
  'Makes the partitions of audit.audit_events for a year from this month, and returns true; returns false if it does '
  'not have a lock within half a second. The audit service calls it at its start and each day.';
COMMENT ON FUNCTION audit.record_requests IS
  'Writes the rows of the requests that wait at this moment: a JSON array in the fields of AuditRow (libs/service). '
  'Tenant and user of each row are those of its proof. Raises insufficient_privilege, and writes none, if one proof '
  'does not hold or is of another caller. Every service calls it.';
COMMENT ON FUNCTION audit.record IS
  'Writes rows for tenants and users that are merely named. It serves only a release from before 0023; '
  'tenancy.end_transition takes it from the logins.';
COMMENT ON FUNCTION audit.list_events IS
  'Returns one page of the visible trail, newest first, after the given place, without the arguments of requests; a '
  'NULL filter asks for nothing. The audit service calls it for GET /v1/audit-events.';
RESET ROLE;

SET ROLE plat_environments_owner;

COMMENT ON SCHEMA environments IS
  'Environments, their public names, and the jobs that delete them. The platform service and the database job write '
  'it.';
COMMENT ON TABLE environments.environments IS
  'One row an environment. One that is to be deleted stays, as deleting or deletion-blocked, until a worker has '
  'deleted what it stands for.';
COMMENT ON TABLE environments.deletions IS
  'One row a deletion that was asked for and has not ended. A worker holds it by a lease; due_at is when it may be '
  'taken up, and attempts counts how often it was.';

COMMENT ON FUNCTION environments.environment_name IS
  'Returns the name of an environment of the tenant, or NULL. The functions that store a build ask it.';
COMMENT ON FUNCTION environments.namespace_of IS
  'Returns <tenant>-<name>: the namespace of an environment and its label in the services zone; NULL for a tenant '
  'that is not entered. The platform service calls it for PUT and DELETE /v1/environments/{environment_id}/hostname; '
  'environments.create_environment and environments.request_deletion call it too.';
COMMENT ON FUNCTION environments.create_environment IS
  'Adds an environment and returns it. Refuses with INVALID_BODY if its namespace is longer than 63 characters; a '
  'name that is taken violates environments_tenant_id_name_key. The platform service calls it for POST '
  '/v1/environments.';
COMMENT ON FUNCTION environments.get_environment IS
  'Returns one visible environment, or no row. The platform service calls it for GET '
  '/v1/environments/{environment_id} and before it exposes one.';
COMMENT ON FUNCTION environments.page_environments IS
  'Returns one page of the visible environments by name, after the given place. The platform service calls it for '
  'GET /v1/environments.';
COMMENT ON FUNCTION environments.list_environments IS
  'Returns all visible environments by name. It serves only a release from before 0020; tenancy.end_transition takes '
  'it from the login.';
COMMENT ON FUNCTION environments.set_exposed_hostname IS
  'Stores the public name of an environment, NULL for none, and returns the environment; no row if the tenant has '
  'none of that id. The platform service calls it for PUT and DELETE /v1/environments/{environment_id}/hostname.';
COMMENT ON FUNCTION environments.request_deletion IS
  'Marks an environment as deleting, adds the job that deletes it for the transaction''s user, and returns the '
  'environment; no row if the tenant has none of that id. A repetition changes nothing while the job exists, and '
  'adds a new job after it was blocked. The platform service calls it for DELETE /v1/environments/{environment_id}.';
COMMENT ON FUNCTION environments.claim_deletion IS
  'Takes the oldest due job of any tenant under a new lease and returns it; no row if none is due. A job whose '
  'worker dies is due again when its lease ends. It sees jobs only while no tenant is entered; '
  'environments.claim_deletion_job calls it.';
COMMENT ON FUNCTION environments.claim_deletion_job IS
  'Does what environments.claim_deletion does, and returns the job with a proof by which the worker speaks for the '
  'user that asked for the deletion. The worker of the platform service calls it.';
COMMENT ON FUNCTION environments.finish_deletion IS
  'Deletes an environment with its job; returns false, and deletes nothing, if the lease is not the job''s any more. '
  'The worker of the platform service calls it.';
COMMENT ON FUNCTION environments.postpone_deletion IS
  'Ends a lease and makes the job due again after a pause; returns false if the lease is not the job''s any more. '
  'The worker of the platform service calls it after an attempt that failed.';
COMMENT ON FUNCTION environments.block_deletion IS
  'Deletes the job and marks its environment as deletion-blocked with the reason; returns false if the lease is not '
  'the job''s any more. The worker of the platform service calls it after the last attempt that failed.';
RESET ROLE;

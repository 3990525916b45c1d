-- A comment on each function, procedure and table of tenancy and identity: what the live body does, however many bodies
-- these files have of it. libs/database/schema prints it above the body.
-- Changes no body, right or row, so each release that worked before works after it. On a live table: COMMENT ON TABLE
-- takes SHARE UPDATE EXCLUSIVE until the end of this file, which stops no reader and no writer. It waits for nothing but
-- a VACUUM or another change of the schema, and no longer than every file does (src/short-locks.ts).

COMMENT ON SCHEMA tenancy IS
  'Says for which tenant a transaction speaks, and holds what all schemas share: refusals, row-level security, '
  'partitions and pages. It belongs to the owner of the database and has no tables.';

COMMENT ON FUNCTION tenancy.tenant_id IS
  'Returns the tenant that the transaction has entered, or NULL. Every policy named tenant asks it.';
COMMENT ON FUNCTION tenancy.user_id IS
  'Returns the user that the transaction speaks for, or NULL. Functions that record an author ask it, so that no '
  'caller names one.';
COMMENT ON FUNCTION tenancy.across IS
  'Returns whether the transaction reads across tenants: it asked for that when it entered, and its user belongs to '
  'the operations tenant. The policies named operations_published, identity.readable_tenants and the listings ask '
  'it.';
COMMENT ON FUNCTION tenancy.enter_as IS
  'Enters the tenant of a proof for the rest of the transaction and returns the tenant, so that a statement can make '
  'its work depend on having entered. Raises insufficient_privilege for a proof that identity has not sealed or that '
  'has ended; an empty proof enters nothing. Every transaction of a service for a tenant begins with it.';
COMMENT ON FUNCTION tenancy.enter IS
  'Enters a tenant and user by naming them, and returns the tenant. It serves only a release from before 0023: '
  'nothing believes it after tenancy.end_transition.';
COMMENT ON PROCEDURE tenancy.end_transition IS
  'Takes from the logins what only a release from before 0025 needs, and stops believing a tenant that is merely '
  'named. It may run again at any time. npm run db -- finish calls it, and the migration of a new database.';
COMMENT ON FUNCTION tenancy.refuse IS
  'Raises SQLSTATE PL001 with a code of the error registry as its message, so that the request is answered with that '
  'code. The details become the details of the answer; the message, if given, replaces the text of the registry.';
COMMENT ON PROCEDURE tenancy.protect IS
  'Puts a table with a tenant_id under forced row-level security: rows of the entered tenant, reads across tenants '
  'for its owner, and reads of all rows for plat_inspector. Migrations call it for each new table of tenants.';
COMMENT ON PROCEDURE tenancy.lock_partition IS
  'Puts a partition under forced row-level security without a policy, so that its rows are reached through its '
  'parent only. tenancy.make_partitions calls it.';
COMMENT ON PROCEDURE tenancy.make_partitions IS
  'Makes the missing monthly partitions of a table, from the month of the first day on. It makes each one aside and '
  'attaches it under the lock of the parent, which stops no writer of the table; it leaves a month of which the '
  'default partition holds rows to the default partition. The migration, audit.make_partitions and '
  'builds.make_partitions call it.';
COMMENT ON FUNCTION tenancy.first_id IS
  'Returns the lower bound of the UUIDv7s of a moment, at which a partition of a table begins that is partitioned by '
  'its id. tenancy.make_partitions calls it.';
COMMENT ON FUNCTION tenancy.page_statement IS
  'Returns the text of a statement that reads one page in the given order (newest_first, which may be any order): of '
  'the tenant that is its $1, or, in a transaction that reads across tenants, of the first rows of each tenant. The '
  'selection and the conditions name the table e; size is the parameter that bounds the page. The listings of all '
  'schemas execute it.';

SET ROLE plat_identity_owner;

COMMENT ON SCHEMA identity IS
  'Tenants, the issuers that vouch for their users, users, roles, and the proofs by which a transaction speaks for a '
  'caller.';

COMMENT ON TABLE identity.tenants IS
  'One row a tenant. The database job writes them. Members of a tenant of kind operations may read across tenants.';
COMMENT ON TABLE identity.issuers IS
  'One row an OIDC issuer whose tokens are believed. An issuer serves one tenant, or names the tenant of a token by '
  'a claim (organization_claim). Without row-level security: it is read before a tenant is known, and no login reads '
  'it.';
COMMENT ON TABLE identity.organizations IS
  'Which tenant an organisation of an issuer is. Without row-level security: it is read before a tenant is known, '
  'and no login reads it.';
COMMENT ON TABLE identity.users IS
  'One row a user of a tenant. The database job and identity.create_user write them.';
COMMENT ON TABLE identity.subjects IS
  'By which subject of which issuer a user signs in. A subject of an issuer is one user of a tenant.';
COMMENT ON TABLE identity.roles IS 'The roles of each tenant, by name.';
COMMENT ON TABLE identity.role_permissions IS
  'The rules of each role: a method and a route template, or a pattern for each of the two.';
COMMENT ON TABLE identity.user_roles IS 'Which user holds which role.';
COMMENT ON TABLE identity.proof_keys IS
  'One row: the key that seals proofs, whether a release from before 0023 may still enter without a proof '
  '(release_before), and whether the transition has ended (closed). No login reads it.';
COMMENT ON TABLE identity.schema_state IS
  'One row: the newest migration that is applied (version), and the newest file of the oldest release that works on '
  'it (works_from). The migration job alone writes version, and a migration that leaves a release behind writes '
  'works_from.';

COMMENT ON FUNCTION identity.schema_version IS
  'Returns the one row of identity.schema_state. Every service asks it before it serves.';
COMMENT ON FUNCTION identity.known_issuers IS
  'Returns the issuers whose keys may be fetched, with their audience and the claim that names a tenant. Every '
  'service asks it to check tokens.';
COMMENT ON FUNCTION identity.resolve IS
  'Returns for whom a verified token speaks: tenant, user, names of roles and rules. No row means that no tenant is '
  'served by the issuer and organisation; a row without user_id means that the subject is not enrolled. '
  'identity.resolve_caller calls it.';
COMMENT ON FUNCTION identity.resolve_caller IS
  'Returns what identity.resolve returns, with a proof of the caller if the subject is enrolled. Every service calls '
  'it for the caller of a request.';
COMMENT ON FUNCTION identity.seal IS 'Returns the seal of a text under a key: nested SHA-256 (HMAC''s form), in hex.';
COMMENT ON FUNCTION identity.caller_digest IS
  'Returns the SHA-256, in hex, of what a token says of its caller: issuer, subject and organisation. A proof '
  'contains it.';
COMMENT ON FUNCTION identity.issue_proof IS
  'Returns a proof, valid for an hour, that the caller is this user of this tenant; NULL if the tenant is not '
  'visible. It does not check that the user exists: identity.resolve_caller and environments.claim_deletion_job call '
  'it for users whom they have read, and the database job calls it for itself.';
COMMENT ON FUNCTION identity.expect_proof IS
  'Raises insufficient_privilege unless identity has sealed the proof and its hour has not ended.';
COMMENT ON FUNCTION identity.caller_of IS
  'Returns tenant and user of a proof. Raises insufficient_privilege for a proof that does not hold, and for one of '
  'another caller than the named issuer, subject and organisation. audit.record_requests calls it for each row.';
COMMENT ON FUNCTION identity.entered_tenant IS
  'Returns the tenant of the proof that the transaction has entered by, or NULL without one; during a transition, '
  'the tenant that a release from before 0023 has named. Raises insufficient_privilege for a proof that does not '
  'hold. tenancy.tenant_id asks it; the check of the seal is written out, because it runs in every statement.';
COMMENT ON FUNCTION identity.entered_user IS
  'Returns the user of the proof that the transaction has entered by, or NULL without one; during a transition, the '
  'user that a release from before 0023 has named. Raises insufficient_privilege for a proof that does not hold. '
  'tenancy.user_id asks it.';
COMMENT ON FUNCTION identity.entered_operations IS
  'Returns whether the proof that the transaction has entered by is of the operations tenant; without a proof, '
  'whether a transition lasts. Raises insufficient_privilege for a proof that does not hold. tenancy.across asks it.';
COMMENT ON FUNCTION identity.readable_tenants IS
  'Returns the tenants whose rows a read may show: the given one, or all of them in a transaction that reads across '
  'tenants. Statements name them in their key, so that each tenant''s own index serves.';
COMMENT ON FUNCTION identity.tenant_named IS
  'Returns the id of the tenant of that name, or NULL if none is visible. The database job calls it before it enters '
  'a tenant.';
COMMENT ON FUNCTION identity.tenant_name IS
  'Returns the name of the entered tenant, or NULL for another tenant''s id. environments.namespace_of calls it.';
COMMENT ON FUNCTION identity.lock_roles IS
  'Takes the lock of the entered tenant''s roles (its row of identity.tenants) until the transaction ends. Each '
  'function that changes users or roles takes it first.';
COMMENT ON FUNCTION identity.expect_tenant_within_caps IS
  'Refuses with CONFLICT if the tenant has more than 200 roles, or more than 1000 rules in them. '
  'identity.create_role and the database job call it after their change.';
COMMENT ON FUNCTION identity.expect_user_within_caps IS
  'Refuses with CONFLICT if the user holds more than 50 roles, or more than 200 rules by them. identity.create_user, '
  'identity.grant_role and the database job call it after their change.';
COMMENT ON FUNCTION identity.issuer_serving IS
  'Returns the issuer of that URL that serves the entered tenant or, without a URL, the only one that does. Refuses '
  'with INVALID_BODY if there is not exactly one. identity.create_user calls it.';
COMMENT ON FUNCTION identity.create_user IS
  'Adds a user with roles to the entered tenant and returns it; with a subject, the user can sign in. A name or '
  'subject that is taken violates its unique constraint, a role of another tenant its foreign key; refuses with '
  'INVALID_BODY as identity.issuer_serving does, and with CONFLICT beyond the caps. The platform service calls it '
  'for POST /v1/users.';
COMMENT ON FUNCTION identity.create_role IS
  'Adds a role with its rules, a JSON array in the fields of the API, to the entered tenant and returns it. A name '
  'that is taken violates roles_tenant_id_name_key; refuses with CONFLICT beyond the caps. The platform service '
  'calls it for POST /v1/roles.';
COMMENT ON FUNCTION identity.grant_role IS
  'Grants a role to a user of the entered tenant and returns the role. Foreign keys refuse a user or role of another '
  'tenant, the primary key a role that is held already; refuses with CONFLICT beyond the caps. The platform service '
  'calls it for POST /v1/users/{user_id}/roles.';
COMMENT ON FUNCTION identity.revoke_role IS
  'Takes a role from a user of the entered tenant; returns false if the user does not hold it. Refuses with CONFLICT '
  'if nobody who can sign in could grant roles afterwards. The platform service calls it.';
COMMENT ON FUNCTION identity.can_sign_in IS
  'Returns whether a user of the entered tenant has a subject of an issuer that serves the tenant. '
  'identity.revoke_role calls it.';
COMMENT ON FUNCTION identity.permits IS
  'Returns whether a rule permits a method on a route template; a pattern must match the whole text. '
  'identity.revoke_role calls it; services judge requests by the same grammar in their own code.';
COMMENT ON FUNCTION identity.list_user_roles IS
  'Returns the roles that a visible user holds, by name. Refuses with NOT_FOUND if no such user is visible. The '
  'platform service calls it for GET /v1/users/{user_id}/roles.';
COMMENT ON FUNCTION identity.page_users IS
  'Returns one page of the visible users by name, after the given place. The platform service calls it for GET '
  '/v1/users.';
COMMENT ON FUNCTION identity.page_roles IS
  'Returns one page of the visible roles by name, after the given place. The platform service calls it for GET '
  '/v1/roles.';
COMMENT ON FUNCTION identity.list_users IS
  'Returns all visible users by name. It serves only a release from before 0020; tenancy.end_transition takes it '
  'from the login.';
COMMENT ON FUNCTION identity.list_roles IS
  'Returns all visible roles by name. It serves only a release from before 0020; tenancy.end_transition takes it '
  'from the login.';
RESET ROLE;

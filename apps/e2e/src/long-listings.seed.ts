import { NEW_BUILD_ID, proveScope, SOME_COMMIT, type TestDatabase } from '@plat/testing';

interface Seeded {
  tenantId: string;
  userId: string;
  rows: number;
}

/** OPEN reviews onto a target branch, with names of half a kilobyte. */
export async function seedReviews(
  database: TestDatabase,
  { tenantId, userId, target, rows }: Seeded & { target: string },
): Promise<void> {
  await database.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch)
     SELECT $1, gen_random_uuid(), $2, $3 || n || repeat('x', 400), $3 || n, $3 FROM generate_series(1, $4::int) n`,
    [tenantId, userId, target, rows],
  );
}

/** Reviews that wait on a target branch, each turned READY by a build. */
export async function seedWaiting(
  database: TestDatabase,
  seeded: Seeded & { target: string },
): Promise<void> {
  const { tenantId, target } = seeded;
  await seedReviews(database, seeded);
  await database.query(
    `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
     SELECT tenant_id, ${NEW_BUILD_ID}, review_id, name, 'RECORDED', true, $3, '1.0.0'
       FROM reviews.reviews WHERE tenant_id = $1 AND target_branch = $2`,
    [tenantId, target, SOME_COMMIT],
  );
  await database.query('INSERT INTO reviews.queues (tenant_id, target_branch) VALUES ($1, $2)', [
    tenantId,
    target,
  ]);
  const { proof } = await proveScope(database, 'alice');
  await database.query(
    `SELECT count(reviews.make_ready(r, b.build_id)) FROM tenancy.enter_as($1, false) AS tenant
       CROSS JOIN LATERAL (SELECT * FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.target_branch = $2) AS e
       JOIN reviews.reviews r USING (tenant_id, review_id) JOIN builds.builds b USING (tenant_id, review_id)`,
    [proof, target],
  );
}

/** Rows of every listing that is read whole: those of the tenant, and those of one review. */
export async function seedListings(
  database: TestDatabase,
  { tenantId, userId, reviewId, rows }: Seeded & { reviewId: string },
): Promise<void> {
  await seedReviews(database, { tenantId, userId, rows, target: 'listed' });
  const review = [tenantId, reviewId, rows, SOME_COMMIT];
  await database.query(
    `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id)
     SELECT $1, ${NEW_BUILD_ID}, $2, 'r', 'GATE', true, $4 FROM generate_series(1, $3::int) n`,
    review,
  );
  await database.query(
    `INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, status, commit_id, file_path,
                                   line, body)
     SELECT $1, gen_random_uuid(), $2, $5, 'OPEN', $4, 'f' || n % 7, n, 'b' FROM generate_series(1, $3::int) n`,
    [...review, userId],
  );
  await database.query(
    `INSERT INTO releases.releases (tenant_id, release_id, review_id, target_branch, commit_id)
     SELECT $1, gen_random_uuid(), $2, 'main', lpad(n::text, 40, left($4, 1)) FROM generate_series(1, $3::int) n`,
    review,
  );
  await database.query(
    `INSERT INTO identity.users (tenant_id, user_id, username)
     SELECT $1, gen_random_uuid(), 'u' || n FROM generate_series(1, $2::int) n`,
    [tenantId, rows],
  );
  await database.query(
    `INSERT INTO reviews.reviewers (tenant_id, review_id, user_id)
     SELECT tenant_id, $2, user_id FROM identity.users WHERE tenant_id = $1`,
    [tenantId, reviewId],
  );
  await database.query(
    `INSERT INTO environments.environments (tenant_id, environment_id, name, type)
     SELECT $1, gen_random_uuid(), 'e' || n, 'runtime' FROM generate_series(1, $2::int) n`,
    [tenantId, rows],
  );
  await database.query(
    `INSERT INTO identity.roles (tenant_id, role_id, name)
     SELECT $1, gen_random_uuid(), 'r' || n FROM generate_series(1, $2::int / 10) n`,
    [tenantId, rows],
  );
}

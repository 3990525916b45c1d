import { Client } from 'pg';
import type { LoggedMove } from './history';

/** The moves of every queue, in order. */
export async function readLog(ownerUrl: string): Promise<LoggedMove[]> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query<LoggedMove>(
      `SELECT target_branch AS "targetBranch", version::float8, review_id AS "reviewId", repository, move,
              ticket::float8, cause, actor_user_id AS "actorUserId", reason, extract(epoch FROM created_at)::float8 * 1000 AS at
         FROM reviews.queue_moves ORDER BY target_branch, version`,
    );
    return rows;
  } finally {
    await owner.end();
  }
}

import { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import { TEST_TENANTS, TEST_USERS } from '@plat/testing';

const REPOSITORY = 'https://git.example.com/bench/app';

export interface SeededReview {
  reviewId: string;
  targetBranch: string;
}

/** Reviews for the rounds, written by the owner before anything is measured. */
export class Seed {
  private constructor(private readonly owner: Client) {}

  static async open(ownerUrl: string): Promise<Seed> {
    const owner = new Client({ connectionString: ownerUrl });
    await owner.connect();
    return new Seed(owner);
  }

  /** Adds OPEN reviews of a user. Each has its own target branch, so no two of them share a queue. */
  async openReviews(user: 'alice' | 'mallory', stem: string, count: number): Promise<SeededReview[]> {
    const { tenant, userId } = TEST_USERS[user];
    const reviews = Array.from({ length: count }, (_, place) => ({
      reviewId: newId(),
      targetBranch: `${stem}-${place}`,
    }));
    await this.owner.query(
      `INSERT INTO reviews.reviews
         (tenant_id, review_id, author_user_id, name, repository, target_branch, source_branch)
       SELECT $1, review, $2, 'Change for ' || target, $3, target, 'feature/12-' || target
         FROM unnest($4::uuid[], $5::text[]) AS r (review, target)`,
      [
        TEST_TENANTS[tenant].tenantId,
        userId,
        REPOSITORY,
        reviews.map(({ reviewId }) => reviewId),
        reviews.map(({ targetBranch }) => targetBranch),
      ],
    );
    return reviews;
  }

  /** Adds READY reviews, each alone in its queue. */
  async readyReviews(user: 'alice' | 'mallory', stem: string, count: number): Promise<SeededReview[]> {
    const reviews = await this.openReviews(user, stem, count);
    const { tenantId } = TEST_TENANTS[TEST_USERS[user].tenant];
    const reviewIds = reviews.map(({ reviewId }) => reviewId);
    await this.owner.query(
      `INSERT INTO builds.builds
         (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
       SELECT $1, build, review, 'Ready', 'RECORDED', true, repeat('a', 40), '1.0.0'
         FROM unnest($2::uuid[], $3::uuid[]) AS b (build, review)`,
      [tenantId, reviews.map(newId), reviewIds],
    );
    await this.owner.query(
      `INSERT INTO reviews.queues (tenant_id, target_branch) SELECT $1, unnest($2::text[])`,
      [tenantId, reviews.map(({ targetBranch }) => targetBranch)],
    );
    await this.move(
      tenantId,
      `SELECT count(reviews.make_ready(r, b.build_id))
         FROM reviews.reviews r JOIN builds.builds b USING (tenant_id, review_id)
        WHERE r.review_id = ANY ($1)`,
      reviewIds,
    );
    await this.owner.query('ANALYZE');
    return reviews;
  }

  /** Puts promoted reviews back into their queues, as a requeue does. */
  async requeue(reviews: SeededReview[]): Promise<void> {
    await this.move(
      TEST_TENANTS.globex.tenantId,
      `SELECT count(reviews.make_ready(r, NULL)) FROM reviews.reviews r
        WHERE r.review_id = ANY ($1) AND r.status = 'MERGE'`,
      reviews.map(({ reviewId }) => reviewId),
    );
  }

  /** Runs a statement that moves reviews by the database's functions, as the tenant. */
  private async move(tenantId: string, statement: string, reviewIds: string[]): Promise<void> {
    await this.owner.query('BEGIN');
    await this.owner.query(
      `SELECT tenancy.enter_as(identity.issue_proof($1, $1, identity.caller_digest(NULL, NULL, NULL)), false)`,
      [tenantId],
    );
    await this.owner.query(statement, [reviewIds]);
    await this.owner.query('COMMIT');
  }

  close(): Promise<void> {
    return this.owner.end();
  }
}

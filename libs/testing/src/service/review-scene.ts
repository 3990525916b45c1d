import { randomUUID } from 'node:crypto';
import type { ReviewStatus } from '@plat/contracts/core';
import type { TestUser } from '../directory/test-directory';
import type { SceneService, TestAnswer } from './test-service';

/** Any full commit id. */
export const SOME_COMMIT = 'a'.repeat(40);

/** A build report of a test. Default: a successful RECORDED build of some commit. */
export interface TestBuild {
  kind?: 'RECORDED' | 'GATE';
  successful?: boolean;
  commitId?: string;
}

/**
 * A repository and a target branch that no other case uses, and the requests that a case makes there. Cases that
 * share a service and stay in their own scene never meet in a queue, a name or a pair of branches.
 */
export class ReviewScene {
  private proposals = 0;

  constructor(
    readonly service: SceneService,
    /** The remote that its reviews name; null for reviews that record none. */
    readonly repository: string | null = `https://git.example/acme/${randomUUID()}`,
    readonly targetBranch: string = `target/${randomUUID()}`,
  ) {}

  /** POST /v1/reviews, with a name and a source branch of its own. */
  propose(body: Record<string, unknown> = {}, user: TestUser = 'alice'): Promise<TestAnswer> {
    this.proposals += 1;
    return this.service.send(user, 'POST /v1/reviews', {
      repository: this.repository ?? undefined,
      name: `review ${this.proposals} ${randomUUID()}`,
      sourceBranch: `topic/${this.proposals}-${randomUUID()}`,
      targetBranch: this.targetBranch,
      ...body,
    });
  }

  /** A new review; its id. */
  async open(body: Record<string, unknown> = {}): Promise<string> {
    return (await expectSuccess(this.propose(body))).reviewId as string;
  }

  /** A new review with a successful RECORDED build: at MERGE when the queue was idle, else READY. Its id. */
  async green(body: Record<string, unknown> = {}): Promise<string> {
    const reviewId = await this.open(body);
    await this.build(reviewId);
    return reviewId;
  }

  /** A READY review that was not promoted, because it had an open thread when it turned green. Its id. */
  async openWaiting(body: Record<string, unknown> = {}): Promise<string> {
    const reviewId = await this.open(body);
    const threadId = await this.comment(reviewId);
    await this.build(reviewId);
    await this.resolve(threadId);
    return reviewId;
  }

  /** A review at this status. MERGED is applied without asking git. Its id. */
  async reach(status: ReviewStatus): Promise<string> {
    switch (status) {
      case 'OPEN':
        return this.open();
      case 'READY':
        return this.openWaiting();
      case 'MERGE':
        return this.green();
      case 'FAILED':
        return this.after((id) => this.build(id, { successful: false }));
      case 'CLOSED':
        return this.after((id) => expectSuccess(this.patch(id, { status: 'CLOSED' })));
      case 'MERGED':
        return this.after((id) =>
          // Applies it like a confirmed reconciliation, so that the review has its move and its record.
          this.service.database.query(
            `SELECT m.* FROM reviews.reviews r
              CROSS JOIN LATERAL tenancy.enter_as(identity.issue_proof(r.tenant_id, r.author_user_id,
                identity.caller_digest(NULL, NULL, NULL)), false) AS tenant
              CROSS JOIN LATERAL reviews.accept_history_merge(tenant, r.review_id, r.status, r.repository,
                coalesce(r.repository, 'https://git.example/acme/adopted'), $2) AS m
              WHERE r.review_id = $1`,
            [
              id,
              JSON.stringify({
                remoteUrl: 'https://git.example',
                targetTip: SOME_COMMIT,
                sourceTip: SOME_COMMIT,
              }),
            ],
          ),
        );
    }
  }

  report(reviewId: string, build: TestBuild = {}, user: TestUser = 'alice'): Promise<TestAnswer> {
    const { kind = 'RECORDED', successful = true, commitId = SOME_COMMIT } = build;
    return this.service.send(user, `POST /v1/reviews/${reviewId}/builds`, {
      commitId,
      successful,
      kind,
      version: kind === 'RECORDED' ? '1.0.0' : undefined,
      failureDetail: successful ? undefined : 'red',
    });
  }

  /** A build of the review; its id. */
  async build(reviewId: string, build: TestBuild = {}): Promise<string> {
    return (await expectSuccess(this.report(reviewId, build))).buildId as string;
  }

  patch(reviewId: string, body: Record<string, unknown>, user: TestUser = 'alice'): Promise<TestAnswer> {
    return this.service.send(user, `PATCH /v1/reviews/${reviewId}/status`, body);
  }

  /** POST advance for this scene's queue; `repository: undefined` names none. */
  advance(body: Record<string, unknown> = {}, user: TestUser = 'alice'): Promise<TestAnswer> {
    return this.service.send(user, 'POST /v1/reviews/merge-queue/advance', this.queueBody(body));
  }

  overrideAdvance(body: Record<string, unknown> = {}, user: TestUser = 'alice'): Promise<TestAnswer> {
    const reason = 'the thread is settled elsewhere';
    return this.service.send(
      user,
      'POST /v1/reviews/merge-queue/override-advance',
      this.queueBody({ reason, ...body }),
    );
  }

  /** The review as the API shows it. */
  async review(reviewId: string): Promise<Record<string, unknown>> {
    return expectSuccess(this.service.send('alice', `GET /v1/reviews/${reviewId}`));
  }

  async status(reviewId: string): Promise<unknown> {
    return (await this.review(reviewId)).status;
  }

  /** The ids that wait on this scene's target, in queue order. */
  async line(): Promise<string[]> {
    const query = new URLSearchParams({ targetBranch: this.targetBranch });
    const answer = await this.service.send('alice', `GET /v1/reviews/merge-queue?${query.toString()}`);
    return (answer.body as { reviewId: string }[]).map(({ reviewId }) => reviewId);
  }

  /** An OPEN root comment of alice's, or a reply to one, as the owner of the database writes it. Its id. */
  async comment(reviewId: string, parentId: string | null = null): Promise<string> {
    const commentId = randomUUID();
    await this.service.database.query(
      `INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, parent_comment_id, status,
                                     commit_id, file_path, line, body)
       SELECT tenant_id, $2, review_id, author_user_id, $3, CASE WHEN $3::uuid IS NULL THEN 'OPEN' END, $4, $5, 1, 'why?'
         FROM reviews.reviews WHERE review_id = $1`,
      [reviewId, commentId, parentId, SOME_COMMIT, `src/${commentId}.ts`],
    );
    return commentId;
  }

  async resolve(commentId: string): Promise<void> {
    await this.service.database.query("UPDATE reviews.comments SET status = 'CLOSED' WHERE comment_id = $1", [
      commentId,
    ]);
  }

  private async after(act: (reviewId: string) => Promise<unknown>): Promise<string> {
    const reviewId = await this.open();
    await act(reviewId);
    return reviewId;
  }

  private queueBody(body: Record<string, unknown>): Record<string, unknown> {
    const repository = this.repository === null ? {} : { repository: this.repository };
    return { ...repository, targetBranch: this.targetBranch, ...body };
  }
}

async function expectSuccess(sent: Promise<TestAnswer>): Promise<Record<string, unknown>> {
  const { status, body } = await sent;
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body as Record<string, unknown>;
}

import { newId } from '@plat/contracts/core';
import type { Operation, Thread } from './history';
import { createOnce } from './keys';
import { type LiveReview, type MergeCase, REPOSITORIES, TARGETS, type World } from './world';

/** The result that a request reports when it is answered. */
export type Reported = Pick<Operation, 'outcome' | 'moves'> & Partial<Pick<Operation, 'reviewId'>>;

/** A request in the same statements as its service makes it. */
export interface Request {
  name: string;
  targetBranch: string;
  repository: string | null;
  reviewId?: string;
  reason?: string;
  /** The moves that it can make, if no answer comes. */
  moves: Operation['moves'];
  send(world: World): Promise<Reported>;
}

type About = Pick<Request, 'targetBranch' | 'repository' | 'reviewId'>;

const about = ({ reviewId, repository, targetBranch }: LiveReview): About => ({
  reviewId,
  repository,
  targetBranch,
});

export function create(world: World): Request {
  const { random } = world;
  const place = { repository: random.pick(REPOSITORIES), targetBranch: random.pick(TARGETS) };
  // Few names and branches, so that requests for the same one meet.
  const name = `change ${Math.floor(random.next() * 400)}`;
  const source = `feature/${Math.floor(random.next() * 400)}-x`;
  return {
    name: 'create',
    ...place,
    moves: [],
    send: async ({ reviews, scope, live }) => {
      const [row] = await createOnce<{ review_id: string }>(world, reviews, () => ({
        name: 'reviews.create_review',
        args: [newId(), scope.userId, name, place.repository, source, place.targetBranch],
      }));
      const { review_id: reviewId } = row!;
      live.push({ reviewId, ...place });
      return { outcome: 'done', moves: [], reviewId };
    },
  };
}

/** A build report: green or red, of a recorded build or of the gate. */
export function report(review: LiveReview, kind: 'RECORDED' | 'GATE', successful: boolean): Request {
  const moves = successful
    ? kind === 'RECORDED'
      ? (['ready', 'promote'] as const)
      : []
    : (['fail'] as const);
  return {
    name: `report ${successful ? 'green' : 'red'} ${kind}`,
    ...about(review),
    moves,
    send: async (world) => {
      await sendReport(world, review.reviewId, { kind, successful });
      return { outcome: 'done', moves };
    },
  };
}

async function sendReport(
  world: World,
  reviewId: string,
  { kind, successful }: { kind: 'RECORDED' | 'GATE'; successful: boolean },
): Promise<{ buildId: string; commitId: string }> {
  const commitId = world.newCommit();
  const version = kind === 'RECORDED' ? '1.0.0' : null;
  const [row] = await createOnce<{ build_id: string }>(world, world.builds, () => ({
    name: 'builds.report_review_build',
    args: [reviewId, newId(), kind, successful, commitId, version, successful ? null : 'red', null],
  }));
  return { buildId: row!.build_id, commitId };
}

interface PromotedRow {
  review_id: string;
  repository: string | null;
  target_branch: string;
}

export function advance(world: World, override: boolean): Request {
  const { random } = world;
  const place = { repository: random.pick(REPOSITORIES), targetBranch: random.pick(TARGETS) };
  const reason = override ? `settled elsewhere, see ${newId()}` : undefined;
  return {
    name: override ? 'override-advance' : 'advance',
    ...place,
    reason,
    moves: ['promote'],
    send: async ({ reviews, scope, promoted }) => {
      const args = [place.targetBranch, place.repository, override, reason ?? null];
      const [row] = await reviews.call<PromotedRow>(scope, { name: 'reviews.advance', args });
      const { review_id: reviewId, repository, target_branch: targetBranch } = row!;
      promoted.push({ reviewId, repository, targetBranch });
      return { outcome: 'moved', moves: ['promote'], reviewId };
    },
  };
}

/** PATCH to READY without a build, or to CLOSED, under the review's lock, if its status allows it. */
export function patch(review: LiveReview, to: 'READY' | 'CLOSED'): Request {
  const move = to === 'READY' ? ('requeue' as const) : ('close' as const);
  const allowed = to === 'READY' ? ['MERGE'] : ['OPEN', 'READY', 'FAILED'];
  const change = to === 'READY' ? 'reviews.requeue' : 'reviews.close_review';
  return {
    name: move,
    ...about(review),
    moves: [move],
    send: ({ reviews, scope }) =>
      reviews.transaction(scope, async (tx) => {
        const key = [scope.tenantId, review.reviewId];
        const [locked] = await tx.query<{ status: string }[]>(
          'SELECT status FROM reviews.begin_move($1, $2)',
          key,
        );
        if (!allowed.includes(locked!.status)) return { outcome: 'refused', moves: [] };
        await tx.query(`SELECT FROM ${change}($1, $2)`, key);
        return { outcome: 'moved', moves: [move] };
      }),
  };
}

/** A MERGED report of a review at MERGE after git confirmed it, with other requests between question and answer. */
export function merge(review: LiveReview): Request {
  const repository = review.repository ?? REPOSITORIES[0];
  return {
    name: 'merge',
    ...about(review),
    moves: ['merge'],
    send: async (world) => {
      const { reviews, scope, commits } = world;
      const { buildId, commitId } = await sendReport(world, review.reviewId, {
        kind: 'GATE',
        successful: true,
      });
      const found = await mergeCase(world, { reviewId: review.reviewId, buildId, repository });
      await sendReport(world, world.someReview()!.reviewId, { kind: 'GATE', successful: true });
      const anchor = found.anchor_commit_id;
      const proof = {
        remoteUrl: repository,
        targetTip: commitId,
        commitId,
        anchorCommitId: anchor ?? undefined,
      };
      const args = [review.reviewId, buildId, newId(), found.repository, repository, JSON.stringify(proof)];
      const merged = await reviews.call(scope, { name: 'reviews.accept_queue_merge', args });
      if (merged.length === 0) return { outcome: 'refused', moves: [] };
      commits.push(commitId);
      return { outcome: 'moved', moves: ['merge'] };
    },
  };
}

/** The case on which the report is judged, or the one of an earlier report of this review, which may be outdated. */
async function mergeCase(
  { reviews, scope, cases, random }: World,
  { reviewId, buildId, repository }: { reviewId: string; buildId: string; repository: string },
): Promise<MergeCase> {
  const remembered = cases.get(reviewId);
  if (remembered && random.chance(0.5)) return remembered;
  const [found] = await reviews.call<MergeCase>(scope, {
    name: 'reviews.merge_case',
    args: [reviewId, buildId, repository],
    select: '(f.subject).repository, f.anchor_commit_id',
  });
  cases.set(reviewId, found!);
  return found!;
}

/** Opens a thread on a review, and closes it as its author after a while. */
export function thread(review: LiveReview): Request {
  return {
    name: 'thread',
    ...about(review),
    moves: [],
    send: async (world) => {
      const { reviews, scope, newCommit, threads } = world;
      const commentId = newId();
      await reviews.transaction(scope, async (tx) => {
        await tx.query('SELECT reviews.hold_review($1, $2)', [scope.tenantId, review.reviewId]);
        await tx.query(`SELECT FROM reviews.create_comment($1, $2, $3, NULL, $4, 'a.ts', 1, 'why?')`, [
          scope.tenantId,
          commentId,
          review.reviewId,
          newCommit(),
        ]);
      });
      // A millisecond later, because the clock is read in whole milliseconds.
      const opened: Thread = { reviewId: review.reviewId, openedBy: Date.now() + 1 };
      threads.push(opened);
      await sendReport(world, world.someReview()!.reviewId, { kind: 'GATE', successful: true });
      opened.closingFrom = Date.now();
      await reviews.call(scope, { name: 'reviews.set_thread_status', args: [commentId, 'CLOSED'] });
      return { outcome: 'done', moves: [] };
    },
  };
}

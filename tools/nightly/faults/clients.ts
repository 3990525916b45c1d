import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { type Random, TEST_USERS } from '@plat/testing';
import type { MoveName, Operation } from '../interleavings/history';
import { type LiveReview, REPOSITORIES, TARGETS } from '../interleavings/world';

const COMMIT = 'a'.repeat(40);

/** The edge's address, and all requests with their answers. */
export interface Scene {
  url: string;
  /** Alice's token. */
  token: string;
  random: Random;
  operations: Operation[];
  live: LiveReview[];
  promoted: LiveReview[];
  /** Ids of acknowledged rows, which must be there in the end. */
  reviewIds: string[];
  buildIds: string[];
  /** Ids of the requests that were answered, and of those that were not. */
  answered: string[];
  unanswered: string[];
  /** When the requests that were not answered were sent, in milliseconds since 1970. */
  unansweredAt: number[];
}

interface Asked {
  name: string;
  line: string;
  body: object;
  review: LiveReview;
  moves: readonly MoveName[];
  /** Whether a success means that the first of the moves was made. */
  moved: boolean;
}

type Answer = Record<string, unknown> & { details?: { reviewId?: string } };

/** Sends one random request and records its result. */
export async function sendOne(scene: Scene): Promise<void> {
  const asked = someRequest(scene);
  const requestId = randomUUID();
  const startedAt = Date.now();
  const answer = await exchange(scene, asked, requestId);
  const { targetBranch, repository, reviewId } = asked.review;
  const about = {
    name: asked.name,
    requestId,
    userId: TEST_USERS.alice.userId,
    targetBranch,
    repository,
    reviewId,
    startedAt,
    endedAt: Date.now(),
  };
  const { moves } = asked;
  if (answer === undefined) {
    scene.unanswered.push(requestId);
    scene.unansweredAt.push(startedAt);
    // The database may act on it at any later time, or never.
    scene.operations.push({ ...about, moves, outcome: 'unknown', endedAt: Infinity });
    return;
  }
  scene.answered.push(requestId);
  const { status, body } = answer;
  if (status >= 300) {
    const { code, details } = body as { code?: string; details?: { reviewId?: string } };
    scene.operations.push({
      ...about,
      moves: [],
      outcome: 'refused',
      code,
      occupantId: details?.reviewId,
    });
    return;
  }
  note(scene, asked, body);
  const promotedReview = asked.name === 'advance' ? { reviewId: body.reviewId as string } : {};
  scene.operations.push({ ...about, ...promotedReview, moves, outcome: asked.moved ? 'moved' : 'done' });
}

/** Records what later requests can refer to, and what must be there in the end. */
function note({ live, promoted, reviewIds, buildIds }: Scene, { name, review }: Asked, body: Answer): void {
  if (name === 'create') {
    live.push({ ...review, reviewId: body.reviewId as string });
    reviewIds.push(body.reviewId as string);
  }
  if (name === 'advance') promoted.push({ ...review, reviewId: body.reviewId as string });
  if (name.startsWith('report')) buildIds.push(body.buildId as string);
}

/** Sends a request. @returns undefined if no answer came, or none that says what was done */
async function exchange(
  scene: Scene,
  { line, body }: Asked,
  requestId: string,
): Promise<{ status: number; body: Answer } | undefined> {
  const [method = '', path = ''] = line.split(' ');
  const authorization = `Bearer ${scene.token}`;
  // An edge may end an idle connection at any time, so none is used again.
  const options = { method, agent: false, headers: { authorization, 'x-request-id': requestId } };
  try {
    const sent = request(scene.url + path, options).end(JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const text = await textOf(answer);
    const { statusCode: status = 502 } = answer;
    return status >= 500 ? undefined : { status, body: JSON.parse(text) as Answer };
  } catch {
    return undefined;
  }
}

function someRequest(scene: Scene): Asked {
  const { random, live, promoted } = scene;
  const review = random.chance(0.4) && promoted.length > 0 ? random.pick(promoted.slice(-4)) : undefined;
  const about = review ?? (live.length > 0 ? random.pick(live.slice(-15)) : undefined);
  if (about === undefined || random.chance(0.15)) return create(random);
  const kinds = [
    () => report(about, 'RECORDED', true),
    () => report(about, 'RECORDED', random.chance(0.6)),
    () => report(about, 'GATE', random.chance(0.3)),
    () => advance(random),
    () => advance(random),
    () => patch(about, 'READY', 'requeue'),
    () => (random.chance(0.3) ? patch(about, 'CLOSED', 'close') : patch(about, 'READY', 'requeue')),
  ];
  return random.pick(kinds)();
}

function create(random: Random): Asked {
  const place = { repository: random.pick(REPOSITORIES), targetBranch: random.pick(TARGETS) };
  const name = `change ${Math.floor(random.next() * 100_000)}`;
  const body = {
    ...place,
    repository: place.repository ?? undefined,
    name,
    sourceBranch: name.replace(' ', '/'),
  };
  const review = { ...place, reviewId: '' };
  return {
    name: 'create',
    line: 'POST /v1/reviews',
    body,
    review,
    moves: [],
    moved: false,
  };
}

function report(review: LiveReview, kind: 'RECORDED' | 'GATE', successful: boolean): Asked {
  const body = {
    commitId: COMMIT,
    kind,
    successful,
    version: kind === 'RECORDED' ? '1.0.0' : undefined,
    failureDetail: successful ? undefined : 'red',
  };
  const moves: MoveName[] = !successful ? ['fail'] : kind === 'RECORDED' ? ['ready', 'promote'] : [];
  const line = `POST /v1/reviews/${review.reviewId}/builds`;
  const name = `report ${successful ? 'green' : 'red'} ${kind}`;
  return { name, line, body, review, moves, moved: false };
}

function advance(random: Random): Asked {
  const place = { repository: random.pick(REPOSITORIES), targetBranch: random.pick(TARGETS) };
  const body = { targetBranch: place.targetBranch, repository: place.repository ?? undefined };
  const line = 'POST /v1/reviews/merge-queue/advance';
  // The review that an unanswered request promoted is unknown, so it stays empty.
  const review = { ...place, reviewId: '' };
  return { name: 'advance', line, body, review, moves: ['promote'], moved: true };
}

function patch(review: LiveReview, status: 'READY' | 'CLOSED', move: MoveName): Asked {
  const line = `PATCH /v1/reviews/${review.reviewId}/status`;
  return { name: move, line, body: { status }, review, moves: [move], moved: true };
}

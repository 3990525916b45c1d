import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { defined } from '@plat/contracts/core';
import { type Random, TEST_USERS } from '@plat/testing';
import type { MoveName, Operation } from '../interleavings/history';
import { type LiveReview, REPOSITORIES, TARGETS } from '../interleavings/world';

const COMMIT = 'a'.repeat(40);
/** Longer than a database takes to start again. */
const REPEATS_MAX = 200;
const REPEAT_AFTER_MS = 100;

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
  /** Lost answers that a repeat with the same key has brought: those to work that was done, and all. */
  found: { replayed: number; all: number };
}

interface Asked {
  name: string;
  line: string;
  body: object;
  review: LiveReview;
  moves: readonly MoveName[];
  /** Whether a success means that the first of the moves was made. */
  moved: boolean;
  /** Creates something, so that it has an Idempotency-Key and is sent again if its answer is lost. */
  creates?: true;
}

type Answer = Record<string, unknown> & { details?: { reviewId?: string } };

/** Sends one random request and records its result. */
export async function sendOne(scene: Scene): Promise<void> {
  const asked = someRequest(scene);
  const startedAt = Date.now();
  const { requestId, answer } = asked.creates ? await askAgain(scene, asked) : await ask(scene, asked);
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
    // The database may act on it at any later time, or never.
    scene.operations.push({ ...about, moves, outcome: 'unknown', endedAt: Infinity });
    return;
  }
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

interface Received {
  status: number;
  body: Answer;
  replayed: boolean;
}

type Asking = { requestId: string; answer: Received | undefined };

/** Sends a creating request, and sends it again under its key while its answer is lost or the first one is still running. */
async function askAgain(scene: Scene, asked: Asked): Promise<Asking> {
  const key = randomUUID();
  let asking = await ask(scene, asked, key);
  for (let repeat = 0; repeat < REPEATS_MAX && isOpen(asking); repeat += 1) {
    const isLost = asking.answer === undefined;
    await delay(REPEAT_AFTER_MS);
    asking = await ask(scene, asked, key);
    if (!isLost || isOpen(asking)) continue;
    scene.found.all += 1;
    if (asking.answer!.replayed) scene.found.replayed += 1;
  }
  // Whether the first request will have worked is not known.
  return isOpen(asking) ? { ...asking, answer: undefined } : asking;
}

const isOpen = ({ answer }: Asking): boolean =>
  answer === undefined || answer.body.code === 'IDEMPOTENCY_KEY_IN_USE';

/** Sends a request once, and records whether it was answered. */
async function ask(scene: Scene, asked: Asked, key?: string): Promise<Asking> {
  const [requestId, sentAt] = [randomUUID(), Date.now()];
  const answer = await exchange(scene, asked, defined({ 'x-request-id': requestId, 'idempotency-key': key }));
  if (answer) {
    scene.answered.push(requestId);
  } else {
    scene.unanswered.push(requestId);
    scene.unansweredAt.push(sentAt);
  }
  return { requestId, answer };
}

/** Sends a request. @returns undefined if no answer came, or none that says what was done */
async function exchange(
  scene: Scene,
  { line, body }: Asked,
  headers: Record<string, string>,
): Promise<Received | undefined> {
  const [method = '', path = ''] = line.split(' ');
  const authorization = `Bearer ${scene.token}`;
  // An edge may end an idle connection at any time, so none is used again.
  const options = { method, agent: false, headers: { ...headers, authorization } };
  try {
    const sent = request(scene.url + path, options).end(JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const text = await textOf(answer);
    const { statusCode: status = 502 } = answer;
    const replayed = answer.headers['idempotency-replayed'] === 'true';
    return status >= 500 ? undefined : { status, body: JSON.parse(text) as Answer, replayed };
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
    creates: true,
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
  return { name, line, body, review, moves, moved: false, creates: true };
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

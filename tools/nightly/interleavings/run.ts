import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ApiError } from '@plat/contracts/core';
import { violates } from '@plat/database';
import { examineDatabase } from '@plat/invariants';
import type { Operation } from './history';
import { judgeKeys } from './keys';
import { readLog } from './log';
import { enqueue, run as runRelease } from './release-requests';
import { advance, create, merge, patch, report, type Request, thread } from './requests';
import { judgeStatuses, seeStatus } from './statuses';
import { judge } from './witness';
import { World } from './world';

export interface RunOptions {
  ownerUrl: string;
  loginUrl(role: string): string;
  seed: number;
  operations: number;
  /** Requests under way at any time. */
  workers: number;
  /** Milliseconds after which no further request is sent. Default: unlimited. */
  timeLimitMs?: number;
}

export interface RunResult {
  operations: number;
  moves: number;
  /** Milliseconds that the judge took. */
  judgedMs: number;
  /** The faults, in words. */
  faults: string[];
}

/** Unique indexes whose violation is a refusal of the contract. */
const CONFLICTS = ['reviews_live_name', 'reviews_live_pair', 'comments_one_root'];
/** Faults after which the run ends, because further ones would add nothing. */
const FAULTS_MAX = 20;

/** Sends random requests at once to a few queues, and judges the answers by the content of the database. */
export async function runInterleavings(options: RunOptions): Promise<RunResult> {
  const world = await World.open({ ...options, connections: options.workers });
  const end = Date.now() + (options.timeLimitMs ?? Infinity);
  let left = options.operations;
  const worker = async (): Promise<void> => {
    while (left-- > 0 && Date.now() < end && world.faults.length < FAULTS_MAX) await sendOne(world);
  };
  try {
    await Promise.all(Array.from({ length: options.workers }, worker));
    const log = await readLog(options.ownerUrl);
    const startedAt = performance.now();
    const judged = [...judge(log, world.operations, world.threads), ...judgeStatuses(log, world.statuses)];
    const judgedMs = performance.now() - startedAt;
    const broken = (await examineDatabase(options.ownerUrl)).map(({ promise }) => `broken: ${promise}`);
    const trail = await judgeTrail(options.ownerUrl, world.operations);
    const keys = await judgeKeys(options.ownerUrl);
    const faults = [...world.faults, ...judged, ...broken, ...trail, ...keys];
    return { operations: world.operations.length, moves: log.length, judgedMs, faults };
  } finally {
    await world.close();
  }
}

async function sendOne(world: World): Promise<void> {
  const request = someRequest(world);
  const { name, targetBranch, repository, reviewId, reason, moves } = request;
  const requestId = randomUUID();
  const { userId } = world.scope;
  const asked = { name, targetBranch, repository, reviewId, reason, requestId, userId };
  const startedAt = Date.now();
  const record = (result: Partial<Operation>): void => {
    world.operations.push({ ...asked, moves, outcome: 'refused', startedAt, endedAt: Date.now(), ...result });
  };
  try {
    await world.audit(requestId);
    record(await request.send(world));
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === undefined) world.faults.push(`${name}: ${(error as Error).message}`);
    record(refused ?? { outcome: 'unknown' });
  }
  if (world.random.chance(0.05)) await probeTenancy(world);
  if (world.random.chance(0.1)) await seeStatus(world);
}

function someRequest(world: World): Request {
  const { random } = world;
  const review = world.someReview();
  if (review === undefined || random.chance(0.08)) return create(world);
  const promoted = world.somePromoted()!;
  const kinds: (() => Request)[] = [
    () => report(review, 'RECORDED', true),
    () => report(review, 'RECORDED', true),
    () => report(review, 'RECORDED', false),
    () => report(promoted, 'GATE', random.chance(0.6)),
    () => advance(world, false),
    () => advance(world, false),
    () => advance(world, random.chance(0.5)),
    () => patch(promoted, 'READY'),
    () => (random.chance(0.2) ? patch(review, 'CLOSED') : patch(promoted, 'READY')),
    () => merge(promoted),
    () => merge(promoted),
    () => thread(review),
    () => thread(review),
    () => enqueue(world),
    () => runRelease(world),
  ];
  return random.pick(kinds)();
}

/** Converts a refusal of the contract; undefined for any other error. */
function refusalOf(error: unknown): Partial<Operation> | undefined {
  if (CONFLICTS.some((constraint) => violates(error, constraint))) return { code: 'CONFLICT' };
  if (error instanceof Error && error.constructor.name === 'UnresolvedThreadsError') {
    return { code: 'THREADS' };
  }
  if (!(error instanceof ApiError) || error.status >= 500) return undefined;
  const occupant = (error.details as { reviewId?: string } | undefined)?.reviewId;
  return { code: error.code, occupantId: occupant };
}

/** Outside a tenant's transaction a connection must have no tenant set. */
async function probeTenancy({ reviews, faults }: World): Promise<void> {
  const [row] = await reviews.run<{ tenant: string | null }>({
    name: 'probe_tenancy',
    text: 'SELECT tenancy.tenant_id() AS tenant',
    values: [],
  });
  if (row!.tenant !== null) faults.push('a connection speaks for a tenant after its transaction');
}

/** Each request has exactly one audit row, and there is no other. */
async function judgeTrail(ownerUrl: string, operations: readonly Operation[]): Promise<string[]> {
  const rows = await query<{ id: string }>(ownerUrl, 'SELECT request_id AS id FROM audit.audit_events');
  const expected = operations.map(({ requestId }) => requestId).sort();
  const same = JSON.stringify(rows.map(({ id }) => id).sort()) === JSON.stringify(expected);
  return same ? [] : [`${rows.length} audit rows for ${expected.length} requests`];
}

async function query<Row>(ownerUrl: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return (await client.query<Row & object>(sql)).rows;
  } finally {
    await client.end();
  }
}

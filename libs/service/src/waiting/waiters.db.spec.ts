import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@plat/contracts/core';
import { applyDirectory, Database } from '@plat/database';
import { createTestDatabase, proveScope, type TestDatabase, testDirectory } from '@plat/testing';
import { Waiters, type WaitersOptions, type WatchedKey } from './waiters';

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  await applyDirectory(test.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  database = await Database.connect({
    url: test.url('plat_reviews'),
    applicationName: 'waiters',
    poolSizeMax: 2,
    preparedStatements: true,
  });
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

const never = (): AbortSignal => new AbortController().signal;

/** Waiters over the database, which counts their statements, and may be taken away from them. */
function start(options: Partial<WaitersOptions> = {}) {
  const seen = { statements: 0, isAway: false, warnings: 0, stuck: 'no tenant' };
  const run = <Row>(statement: Parameters<Database['run']>[0]): Promise<Row[]> => {
    seen.statements += 1;
    if (String(statement.values[0]).includes(seen.stuck)) return new Promise(() => undefined);
    return seen.isAway ? Promise.reject(new Error('no database')) : database.run<Row>(statement);
  };
  const log = { warn: () => void (seen.warnings += 1) };
  return { seen, waiters: new Waiters({ run }, log as never, options) };
}

async function keyOf(review: string, user: 'alice' | 'mallory' = 'alice'): Promise<WatchedKey> {
  return { scope: await proveScope(test, user), kind: 'review', id: review };
}

async function open(): Promise<string> {
  const scope = await proveScope(test, 'alice');
  const [review, name] = [newId(), newId()];
  const args = [review, scope.userId, name, null, name, name];
  await database.call(scope, { name: 'reviews.create_review', args });
  return review;
}

async function close(review: string): Promise<void> {
  const scope = await proveScope(test, 'alice');
  await database.transaction(scope, (tx) =>
    tx.query('SELECT FROM reviews.begin_move($1, $2), reviews.close_review($1, $2)', [
      scope.tenantId,
      review,
    ]),
  );
}

describe('requests that wait', () => {
  it('cost one statement at a time and an interval, however many they are, and none if no one waits', async () => {
    const { seen, waiters } = start({ againMs: 200 });
    const reviews = await Promise.all(Array.from({ length: 20 }, open));
    const keys = await Promise.all(reviews.map((review) => keyOf(review)));
    const waits = Array.from({ length: 500 }, (_, n) => waiters.enter(keys[n % 20]!, 30, never())!);
    await Promise.all(waits.map((wait) => wait.next()));
    const [before, since] = [seen.statements, performance.now()];
    while (seen.statements < before + 5) await delay(10);
    expect(performance.now() - since).toBeGreaterThan(4 * 200);
    for (const wait of waits) wait.leave();
    expect(waiters.count).toBe(0);
    await delay(250);
    const after = seen.statements;
    await delay(500);
    expect(seen.statements).toBe(after);
  });

  it('are woken by a change of what they wait for, and by no other', async () => {
    const { waiters } = start({ againMs: 50 });
    const [changed, other] = [await open(), await open()];
    const [first, second] = [
      waiters.enter(await keyOf(changed), 30, never())!,
      waiters.enter(await keyOf(other), 1, never())!,
    ];
    expect(await Promise.all([first.next(), second.next()])).toEqual(['changed', 'changed']);
    const ends = Promise.all([first.next(), second.next()]);
    await close(changed);
    expect(await ends).toEqual(['changed', 'over']);
    first.leave();
    second.leave();
  });

  it('are woken at the moment that they name', async () => {
    const { waiters } = start();
    const wait = waiters.enter(await keyOf(await open()), 30, never())!;
    await wait.next();
    expect(await wait.next(20)).toBe('due');
    wait.leave();
  });

  it('see no row of another tenant', async () => {
    const { waiters } = start();
    const review = await open();
    expect(await waiters.versionOf(await keyOf(review))).not.toBeNull();
    expect(await waiters.versionOf(await keyOf(review, 'mallory'))).toBeNull();
  });

  it('are not taken in beyond a number, and beyond a lower one of a tenant', async () => {
    const { waiters } = start({ most: 3, mostOfTenant: 2 });
    const [mine, theirs] = [await keyOf(await open()), await keyOf(await open(), 'mallory')];
    const waits = [mine, mine, mine, theirs, theirs].map((key) => waiters.enter(key, 30, never()));
    expect(waits.map((wait) => wait !== undefined)).toEqual([true, true, false, true, false]);
    waits[0]!.leave();
    expect(waiters.enter(theirs, 30, never())).toBeDefined();
    waiters.end();
  });

  it('share the places: the oldest of the tenant that holds most gives way to a tenant that holds fewer', async () => {
    const { waiters } = start({ most: 4, mostOfTenant: 4 });
    const [mine, theirs] = [await keyOf(await open()), await keyOf(newId(), 'mallory')];
    const waits = Array.from({ length: 4 }, () => waiters.enter(mine, 30, never())!);
    await Promise.all(waits.map((wait) => wait.next()));
    // The second reads meanwhile.
    const ends = [0, 2, 3].map((n) => waits[n]!.next());
    const entered = Array.from({ length: 3 }, () => waiters.enter(theirs, 30, never()) !== undefined);
    expect([entered, waiters.count]).toEqual([[true, true, false], 4]);
    expect([await ends[0], await waits[1]!.next()]).toEqual(['over', 'over']);
    waits[0]!.leave();
    expect(waiters.count).toBe(4);
    waiters.end();
    expect(await Promise.all(ends)).toEqual(['over', 'ending', 'ending']);
  });

  it('wait on while the database is away, which is logged once, and then see what changed meanwhile', async () => {
    const { seen, waiters } = start({ againMs: 20 });
    const review = await open();
    const wait = waiters.enter(await keyOf(review), 30, never())!;
    await wait.next();
    const end = wait.next();
    seen.isAway = true;
    const before = seen.statements;
    while (seen.statements < before + 3) await delay(5);
    expect(wait.isBlind).toBe(true);
    await close(review);
    seen.isAway = false;
    expect(await end).toBe('changed');
    expect([wait.isBlind, seen.warnings]).toEqual([false, 1]);
    wait.leave();
  });

  it('are woken although the versions of another tenant take for ever, which is logged once', async () => {
    const { seen, waiters } = start({ againMs: 20 });
    const [review, theirs] = [await open(), await keyOf(newId(), 'mallory')];
    seen.stuck = theirs.scope.proof;
    const waits = [theirs, await keyOf(review)].map((key) => waiters.enter(key, 30, never())!);
    await waits[1]!.next();
    const end = waits[1]!.next();
    await close(review);
    expect(await end).toBe('changed');
    expect(seen.warnings).toBe(1);
    for (const wait of waits) wait.leave();
    waiters.end();
  });

  it('wait no longer if the service has begun to end while they were reading', async () => {
    const { waiters } = start();
    const wait = waiters.enter(await keyOf(await open()), 30, never())!;
    expect(await wait.next()).toBe('changed');
    waiters.end();
    expect(await wait.next()).toBe('ending');
    wait.leave();
  });

  it('hold no connection: more of them than connections let another statement pass', async () => {
    const { waiters } = start();
    const key = await keyOf(await open());
    const waits = Array.from({ length: 50 }, () => waiters.enter(key, 30, never())!);
    await Promise.all(waits.map((wait) => wait.next()));
    const ends = waits.map((wait) => wait.next());
    expect(database.connections).toMatchObject({ busy: 0, waiting: 0 });
    waiters.end();
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['ending']));
    expect(waiters.enter(key, 30, never())).toBeUndefined();
  });
});

import { createHash, randomUUID } from 'node:crypto';
import { ApiError, newId } from '@plat/contracts/core';
import { createTestDatabase, proveScope, type TestDatabase, testDirectory } from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { Database } from './database';
import type { KeyedScope, TenantScope } from './scope';

let test: TestDatabase;
let database: Database;
let scope: TenantScope;
beforeAll(async () => {
  test = await createTestDatabase();
  await applyDirectory(test.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  scope = await proveScope(test, 'alice');
  database = await Database.connect({
    url: test.url('plat_reviews'),
    applicationName: 'do-once',
    poolSizeMax: 8,
    preparedStatements: true,
  });
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

interface Row {
  review_id: string;
  name: string;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A request with a key, as the service makes one of each HTTP request. */
const keyed = (text: string, request = 'a', of: TenantScope = scope): KeyedScope => ({
  ...of,
  key: { text, digest: sha256(request) },
});

function create(of: KeyedScope, name: string): Promise<Row[]> {
  const args = [newId(), of.userId, name, null, randomUUID(), 'main'];
  return database.create<Row>(of, { name: 'reviews.create_review', args });
}

const codeOf = (error: unknown): string => (error instanceof ApiError ? error.code : String(error));

async function countReviews(name: string): Promise<number> {
  const [row] = await test.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM reviews.reviews WHERE name = $1',
    [name],
  );
  return row!.n;
}

const keys = () => test.query<{ key: string }>('SELECT key FROM identity.idempotency_keys ORDER BY key');
const age = (text: string, by: string): Promise<unknown> =>
  test.query(
    `UPDATE identity.idempotency_keys SET answered_at = answered_at - $2::interval WHERE key LIKE $1`,
    [text, by],
  );

describe('a creating request', () => {
  it('with a key is done once, and a repeat has the rows of the first', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    const [first, second] = [keyed(key), keyed(key)];
    const rows = await create(first, name);
    expect(await create(second, name)).toEqual(rows);
    expect([first.key!.isRepeat, second.key!.isRepeat]).toEqual([undefined, true]);
    expect(await countReviews(name)).toBe(1);
  });

  it('without a key keeps nothing', async () => {
    const before = await keys();
    await create(scope, randomUUID());
    expect(await keys()).toEqual(before);
  });

  it('with the key of another request is refused', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    await create(keyed(key), randomUUID());
    await expect(create(keyed(key, 'b'), name)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await countReviews(name)).toBe(0);
  });

  it('with the key of another user or tenant is done', async () => {
    const key = randomUUID();
    await create(keyed(key), randomUUID());
    for (const user of ['bob', 'mallory'] as const) {
      const name = randomUUID();
      await create(keyed(key, 'b', await proveScope(test, user)), name);
      expect(await countReviews(name)).toBe(1);
    }
  });

  it('that is refused leaves its key free', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    await create(scope, name);
    const refused = keyed(key);
    await expect(create(refused, name)).rejects.toMatchObject({
      driverError: { constraint: 'reviews_live_name' },
    });
    expect((await keys()).map((row) => row.key)).not.toContain(key);
    await create(keyed(key), randomUUID());
  });

  it('that finds nothing to create for leaves its key free', async () => {
    const key = randomUUID();
    expect(await database.createIn(keyed(key), () => Promise.resolve([]))).toEqual([]);
    expect((await keys()).map((row) => row.key)).not.toContain(key);
  });

  it('50 at once with one key do one thing: the others are repeats, or are asked to come back', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [key, name] = [randomUUID(), randomUUID()];
      const answers = await Promise.allSettled(Array.from({ length: 50 }, () => create(keyed(key), name)));
      const refused = answers.flatMap((answer) =>
        answer.status === 'rejected' ? [codeOf(answer.reason)] : [],
      );
      expect(new Set(refused).size).toBeLessThanOrEqual(1);
      expect(refused[0] ?? 'IDEMPOTENCY_KEY_IN_USE').toBe('IDEMPOTENCY_KEY_IN_USE');
      const ids = answers.flatMap((answer) =>
        answer.status === 'fulfilled' ? [answer.value[0]!.review_id] : [],
      );
      expect(new Set(ids).size).toBe(1);
      expect((await create(keyed(key), name))[0]!.review_id).toBe(ids[0]);
      expect(await countReviews(name)).toBe(1);
    }
  });

  it('whose connection ends before COMMIT leaves neither work nor key, and its repeat does the work', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    const cut = database.createIn(keyed(key), async (tx) => {
      await tx.query('SELECT reviews.create_review($1, $2, $3, $4, NULL, $5, $6)', [
        scope.tenantId,
        newId(),
        scope.userId,
        name,
        randomUUID(),
        'main',
      ]);
      const [row] = await tx.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
      await test.query('SELECT pg_terminate_backend($1)', [row!.pid]);
      return [];
    });
    await expect(cut).rejects.toThrow();
    expect(await countReviews(name)).toBe(0);
    await create(keyed(key), name);
    expect(await countReviews(name)).toBe(1);
  });

  it('after 24 hours its key is free again', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    await create(keyed(key), randomUUID());
    await age(key, '23 hours 59 minutes');
    await expect(create(keyed(key, 'b'), name)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await age(key, '2 minutes');
    await create(keyed(key, 'b'), name);
    expect(await countReviews(name)).toBe(1);
  });

  it('removes ten keys of its tenant that are older, and no younger one', async () => {
    const stem = randomUUID();
    for (let n = 0; n < 15; n += 1) await create(keyed(`${stem}-${n}`), randomUUID());
    await age(`${stem}-%`, '25 hours');
    await create(keyed(`${stem}-young`), randomUUID());
    expect((await keys()).filter(({ key }) => key.startsWith(stem))).toHaveLength(6);
    await create(keyed(`${stem}-younger`), randomUUID());
    expect((await keys()).filter(({ key }) => key.startsWith(stem)).map(({ key }) => key)).toEqual([
      `${stem}-young`,
      `${stem}-younger`,
    ]);
  });
});

it.each(['', 'a b', 'é', 'x'.repeat(256)])('the database takes no key that is none: "%s"', async (key) => {
  await expect(create(keyed(key), randomUUID())).rejects.toMatchObject({
    driverError: { constraint: 'idempotency_keys_key_check' },
  });
});

it('a login reaches the keys by the two functions only', async () => {
  await expect(
    database.run({ name: 'look', text: 'SELECT * FROM identity.idempotency_keys', values: [] }),
  ).rejects.toThrow('permission denied');
});

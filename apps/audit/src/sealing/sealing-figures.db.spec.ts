import { applyDirectory } from '@plat/database';
import {
  createTestDatabase,
  SealingScene,
  TEST_TENANTS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';

const { tenantId: ACME } = TEST_TENANTS.acme;

let database: TestDatabase;
let scene: SealingScene;
beforeEach(async () => {
  database = await createTestDatabase();
  scene = new SealingScene(database);
  await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
  await scene.write(1);
  await scene.seal();
});
afterEach(() => database.drop());

const oldest = async (): Promise<number> => {
  const [row] = await database.query<{ oldest_seconds: number }>(
    'SELECT oldest_seconds FROM ledger.figures()',
  );
  return row!.oldest_seconds;
};
const late = () => database.query<{ kind: string }>('SELECT kind FROM ledger.late_rows(60)');

describe('the age of the oldest that is not sealed, by which an operator is woken', () => {
  it('is nothing while all is sealed', async () => {
    expect(await oldest()).toBe(0);
    expect(await late()).toEqual([]);
  });

  it.each([
    [
      'audit',
      'a row of the trail',
      async () => {
        await scene.write(1);
        await database.query(
          `UPDATE audit.audit_events SET created_at = created_at - interval '2 min'
            WHERE audit_event_id NOT IN (SELECT id FROM ledger.entries)`,
        );
      },
    ],
    [
      'landing',
      'a landing',
      async () => {
        await scene.land(1);
        await database.force(`UPDATE reviews.verifications SET created_at = created_at - interval '2 min'`);
      },
    ],
    [
      'landing',
      'a later verdict',
      async () => {
        const [review] = await scene.land(1);
        await scene.seal();
        await scene.judge(review!);
        await database.force(`UPDATE reviews.later_contents SET created_at = created_at - interval '2 min'`);
      },
    ],
    [
      'erasure',
      'an erasure',
      () =>
        database.query(
          `INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries, erased_at)
           VALUES ($1, gen_random_uuid(), 'person', '{[1,2)}', clock_timestamp() - interval '2 min')`,
          [ACME],
        ),
    ],
  ])('counts what has no entry of the kind %s yet: %s', async (kind, _, add) => {
    await add();
    expect(await oldest()).toBeGreaterThanOrEqual(120);
    expect(await late()).toEqual([{ kind }]);
    await scene.seal();
    expect(await oldest()).toBe(0);
    expect(await late()).toEqual([]);
  });
});

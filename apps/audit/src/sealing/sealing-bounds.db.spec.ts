import { applyDirectory } from '@plat/database';
import {
  createTestDatabase,
  SealingScene,
  TEST_TENANTS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';

const { tenantId: ACME } = TEST_TENANTS.acme;
/** Entries of one transaction. Half of them may be landings while rows of the trail wait. */
const MOST = 8;

let database: TestDatabase;
let scene: SealingScene;
beforeEach(async () => {
  database = await createTestDatabase();
  scene = new SealingScene(database);
  await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
});
afterEach(() => database.drop());

const kindsOf = async (): Promise<string[]> => (await scene.entriesOf(ACME)).map(({ kind }) => kind);
const count = (kinds: string[], wanted: string): number => kinds.filter((kind) => kind === wanted).length;

/** Seals until nothing is left. @returns the entries of each transaction */
async function sealAll(): Promise<number[]> {
  for (const added: number[] = []; ;) {
    const { sealed, more } = await scene.seal(MOST);
    added.push(sealed);
    if (!more) return added;
  }
}

/** Every landing, verdict and row has one entry, and the log fits together. */
async function expectWhole({ landings, rows }: { landings: number; rows: number }): Promise<void> {
  const kinds = await kindsOf();
  expect([count(kinds, 'landing'), count(kinds, 'audit')]).toEqual([landings, rows]);
  expect(await database.query('SELECT * FROM ledger.altered_logs()')).toEqual([]);
  expect(await database.query('SELECT * FROM ledger.altered_entries()')).toEqual([]);
  expect(await database.query('SELECT * FROM ledger.late_rows(0)')).toEqual([]);
  expect(
    await database.query(
      'SELECT FROM ledger.logs WHERE rescanned_at IS NOT NULL OR rescanned_review IS NOT NULL',
    ),
  ).toEqual([]);
}

describe('many landings', () => {
  it('that are older than the log are sealed in batches, in which rows of the trail have their share', async () => {
    await scene.land(30);
    await scene.write(10);
    await scene.seal(MOST);
    const first = await kindsOf();
    expect(count(first, 'landing')).toBe(MOST / 2);
    expect(count(first, 'audit')).toBe(MOST / 2);
    for (const added of await sealAll()) expect(added).toBeLessThanOrEqual(MOST + 1);
    await expectWhole({ landings: 30, rows: 10 });
  });

  it('that come at once are sealed in batches, in which rows of the trail have their share', async () => {
    await scene.write(1);
    await sealAll();
    await scene.land(30);
    await scene.write(10);
    await scene.seal(MOST);
    const first = await kindsOf();
    expect(count(first, 'landing')).toBe(MOST / 2);
    expect(count(first, 'audit')).toBe(1 + MOST / 2);
    for (const added of await sealAll()) expect(added).toBeLessThanOrEqual(MOST);
    await expectWhole({ landings: 30, rows: 11 });
  });
});

describe('many erasures', () => {
  it('are sealed in batches, in which rows of the trail have their share', async () => {
    await scene.write(20);
    await sealAll();
    await database.query(
      `INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries)
       SELECT $1, gen_random_uuid(), 'person', int8multirange(int8range(i, i + 1)) FROM generate_series(1, 20) AS i`,
      [ACME],
    );
    await scene.write(10);
    await scene.seal(MOST);
    const first = await kindsOf();
    expect([count(first, 'erasure'), count(first, 'audit')]).toEqual([MOST / 2, 20 + MOST / 2]);
    await sealAll();
    expect(count(await kindsOf(), 'erasure')).toBe(20);
    await expectWhole({ landings: 0, rows: 30 });
  });
});

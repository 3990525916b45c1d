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
  it('of which some come while a rescan is under way are all sealed, wherever it has come to', async () => {
    await scene.land(20);
    await scene.write(1);
    for (let more = true; more;) {
      // Their ids are at random, before and after the last one that was looked at.
      if ((await kindsOf()).length < 25) await scene.land(3);
      ({ more } = await scene.seal(MOST));
    }
    const [{ landings } = { landings: 0 }] = await database.query<{ landings: number }>(
      'SELECT count(*)::int AS landings FROM reviews.verifications',
    );
    await expectWhole({ landings, rows: 1 });
  });

  it('are sealed after a restore elsewhere, each once, whatever their transactions were called', async () => {
    await scene.land(10);
    await scene.write(3);
    await sealAll();
    await scene.land(15);
    await database.force(`UPDATE reviews.verifications SET written_in = '900000000000'`);
    await database.query(
      `UPDATE ledger.logs SET cluster = 1, sealed_below = '800000000000', landed_below = '800000000000'`,
    );
    await sealAll();
    await scene.land(1);
    await sealAll();
    await expectWhole({ landings: 26, rows: 3 });
  });

  it('have a later verdict after themselves, also if it comes before a rescan has reached the landing', async () => {
    const landed = await scene.land(20);
    await scene.write(1);
    await scene.seal(MOST);
    for (const review of landed) await scene.judge(review);
    await sealAll();
    await expectWhole({ landings: 40, rows: 1 });
    const parts = await database.query<{ parts: number[] }>(
      `SELECT array_agg(part::int ORDER BY leaf_index) AS parts FROM ledger.entries WHERE kind = 'landing' GROUP BY id`,
    );
    expect(parts).toEqual(landed.map(() => ({ parts: [0, 1] })));
  });
});

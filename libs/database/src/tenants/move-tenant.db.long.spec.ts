import {
  type CellDatabase,
  cutAfter,
  fillTenant,
  startCell,
  TEST_TENANTS,
  type TestCell,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import type { Cells } from './cells';
import { cancelMove, finishMove, moveTenant } from './move-tenant';
import { withOwner } from './tenant-session';
import { TENANT_TABLES } from './tenant-tables';

const ISSUER = 'https://id.example';
const API_URL = 'https://two.example';
const ACME = TEST_TENANTS.acme.tenantId;

/** The services' own load is in apps/e2e; here it is the steps, each of which may be the last of a killed command. */
describe('moving a tenant between cells', () => {
  let cells: TestCell[];
  let one: CellDatabase;
  let two: CellDatabase;
  beforeAll(async () => (cells = await Promise.all([startCell(), startCell()])), 60_000);
  afterAll(() => Promise.all(cells.map((cell) => cell.stop())), 30_000);
  beforeEach(async () => {
    [one, two] = await Promise.all([cells[0]!.create(), cells[1]!.create()]);
    await applyDirectory(one.ownerUrl, testDirectory(ISSUER));
    const directory = testDirectory(ISSUER);
    const isAcmes = ({ tenant }: { tenant: string }) => tenant === 'acme';
    delete directory.issuers[0]!.organizations![TEST_TENANTS.acme.organization];
    await applyDirectory(two.ownerUrl, {
      tenants: directory.tenants.filter(({ name }) => name !== 'acme'),
      issuers: directory.issuers,
      roles: directory.roles.filter((role) => !isAcmes(role)),
      users: directory.users.filter((user) => !isAcmes(user)),
      environments: directory.environments.filter((environment) => !isAcmes(environment)),
    });
    await fillTenant(one, 'acme');
    await fillTenant(one, 'globex');
    await fillTenant(two, 'globex');
  }, 60_000);
  afterEach(async () => {
    // A database with a subscription or a slot cannot be dropped.
    await withCells((both) => cancelMove(both, 'acme')).catch(() => undefined);
    await Promise.all([one.drop(), two.drop()]);
  }, 30_000);

  const withCells = <T>(work: (cells: Cells) => Promise<T>): Promise<T> =>
    withOwner(one.ownerUrl, (from) =>
      withOwner(two.ownerUrl, (to) => work({ from, to, replicationUrl: one.ownerUrl })),
    );
  const move = () => withCells((cells) => moveTenant(cells, 'acme', { apiUrl: API_URL }));
  const sums = async (cell: CellDatabase, tenant: 'own' | 'others'): Promise<string[]> =>
    Promise.all(
      TENANT_TABLES.filter(({ name }) => name !== 'identity.subjects').map(async ({ name }) => {
        const [row] = await cell.query<{ sum: string }>(
          `SELECT concat(count(*), ' ', md5(string_agg(t::text, ';' ORDER BY t::text))) AS sum FROM ${name} t
            WHERE (tenant_id = $1) = $2`,
          [ACME, tenant === 'own'],
        );
        return `${name} ${row!.sum}`;
      }),
    );
  const state = async (cell: CellDatabase): Promise<string> => {
    const [row] = await cell.query<{ state: string }>(
      `SELECT concat(coalesce(c.reason, 'served'), ' ', c.api_url) AS state
         FROM identity.tenants LEFT JOIN identity.closed_tenants c USING (tenant_id) WHERE name = 'acme'`,
    );
    return row === undefined ? 'none' : row.state.trim();
  };
  const alice = async (cell: CellDatabase): Promise<string | null> => {
    const [row] = await cell.query<{ username: string | null }>(
      'SELECT username FROM identity.resolve_caller($1, $2, $3)',
      [ISSUER, 'subject-of-alice', TEST_TENANTS.acme.organization],
    );
    return row?.username ?? null;
  };
  const listLeftovers = async () => [
    ...(await one.query('SELECT FROM pg_replication_slots')),
    ...(await one.query('SELECT FROM pg_publication')),
    ...(await two.query('SELECT FROM pg_subscription')),
  ];

  it('deletes the rows of the old cell with --finish, and not before the tenant has moved', async () => {
    await expect(withCells((cells) => finishMove(cells, 'acme'))).rejects.toThrow('has not moved');
    await move();
    const [own, others] = [await sums(two, 'own'), await sums(one, 'others')];
    await withCells((cells) => finishMove(cells, 'acme'));
    await withCells((cells) => finishMove(cells, 'acme'));
    expect(await state(one)).toBe('none');
    expect(await sums(two, 'own')).toEqual(own);
    expect(await sums(one, 'others')).toEqual(others);
    expect(await alice(two)).toBe('alice');
  }, 60_000);

  it.each([40, 60, 75, 90])(
    'is cancelled after %i statements without a trace, unless it has switched',
    async (statements) => {
      const before = [await sums(one, 'own'), await sums(two, 'own'), await sums(two, 'others')];
      await killMove(statements);
      await withCells((cells) => cancelMove(cells, 'acme'));
      await withCells((cells) => cancelMove(cells, 'acme'));
      expect([await sums(one, 'own'), await sums(two, 'own'), await sums(two, 'others')]).toEqual(before);
      expect([await state(one), await state(two)]).toEqual(['served', 'none']);
      expect(await alice(one)).toBe('alice');
      expect(await listLeftovers()).toEqual([]);
    },
    60_000,
  );

  it('comes to the same end if it is killed again and again, and never do both cells serve the tenant', async () => {
    const own = await sums(one, 'own');
    let kills = 0;
    for (let statements = 5; await killMove(statements); statements += 6) {
      kills += 1;
      expect([await state(one), await state(two)].filter((is) => is === 'served').length).toBeLessThan(2);
    }
    expect(kills).toBeGreaterThan(5);
    expect(await sums(two, 'own')).toEqual(own);
    expect([await state(one), await state(two)]).toEqual([`moved ${API_URL}`, 'served']);
    expect(await alice(two)).toBe('alice');
    expect(await listLeftovers()).toEqual([]);
  }, 240_000);

  /** Runs the move on connections that end after so many statements. @returns whether they did before its end */
  async function killMove(statements: number): Promise<boolean> {
    const budget = { left: statements };
    try {
      await withCells(({ from, to, replicationUrl }) =>
        moveTenant({ from: cutAfter(from, budget), to: cutAfter(to, budget), replicationUrl }, 'acme', {
          apiUrl: API_URL,
        }),
      );
      return false;
    } catch (error) {
      if (!String(error).includes('cut here')) throw error;
      return true;
    }
  }
});

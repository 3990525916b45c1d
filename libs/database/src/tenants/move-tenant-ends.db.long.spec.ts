import type { Client } from 'pg';
import {
  type CellDatabase,
  fillTenant,
  startCell,
  TEST_TENANTS,
  type TestCell,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import type { Cells } from './cells';
import { cancelMove, moveTenant } from './move-tenant';
import { withOwner } from './tenant-session';

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
  const alice = async (cell: CellDatabase): Promise<string | null> => {
    const [row] = await cell.query<{ username: string | null }>(
      'SELECT username FROM identity.resolve_caller($1, $2, $3)',
      [ISSUER, 'subject-of-alice', TEST_TENANTS.acme.organization],
    );
    return row?.username ?? null;
  };

  it('numbers releases of the new cell after those that came along', async () => {
    await one.query(`UPDATE releases.releases SET queue_sequence = DEFAULT WHERE tenant_id = $1`, [ACME]);
    await one.query(`SELECT setval('releases.releases_queue_sequence_seq', 1000)`);
    await one.query('UPDATE releases.releases SET queue_sequence = DEFAULT WHERE tenant_id = $1', [ACME]);
    await move();
    const [row] = await two.query<{ next: string }>(
      `SELECT nextval('releases.releases_queue_sequence_seq') AS next`,
    );
    expect(Number(row!.next)).toBeGreaterThan(1001);
  }, 60_000);

  it('does not switch if a row differs, and the old cell serves on', async () => {
    const spoil = { apiUrl: API_URL, onStep: () => undefined };
    await withCells(async (both) => {
      let spoilt = false;
      const to = new Proxy(both.to, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property, target);
          if (property !== 'query') {
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          }
          return async (...args: [string, unknown[]]) => {
            if (!spoilt && args[0].includes('hashtextextended')) {
              spoilt = true;
              await two.query(`UPDATE reviews.reviewers SET created_at = now() WHERE tenant_id = $1`, [ACME]);
            }
            return target.query(...args);
          };
        },
      }) as Client;
      await expect(moveTenant({ ...both, to }, 'acme', spoil)).rejects.toThrow('reviews.reviewers');
    });
    expect(await alice(one)).toBe('alice');
    await expect(alice(two)).resolves.toBeNull();
  }, 60_000);
});

/**
 * @peers postgresql-15
 * @paths docs/operations.md libs apps/e2e/src tools/db
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyDirectory, migrate, moveTenant, SOURCE_SCHEMA, withOwner } from '@plat/database';
import { TEST_TENANTS, testDirectory } from '@plat/testing';
import { PageCommands } from './restore/page-commands';
import { ask } from './restore/portrait';
import { type OwnedDatabase, startOwnedDatabase } from './rotation/owned-database';

const LONG_MS = 300_000;
const PASSWORD = 'mover-of-the-spec';
const ISSUER = 'https://id.example.com';
const { tenantId } = TEST_TENANTS.acme;

describe.each(['15', '18'] as const)(
  "a move by the operator's page, as the owner that it makes, on PostgreSQL %s",
  (version) => {
    let folder: string;
    let page: PageCommands;
    let cells: [OwnedDatabase, OwnedDatabase];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'plat-move-page-'));
      page = await PageCommands.in(folder);
      cells = [await startCell('one'), await startCell('two')];
      await applyDirectory(cells[0].ownerUrl, testDirectory(ISSUER));
      const roles = page.block('sql', 'move-roles').replace("'…'", `'${PASSWORD}'`);
      for (const statement of roles.trim().split('\n')) await cells[0].asSuperuser(statement);
    }, LONG_MS);
    afterAll(async () => {
      for (const { cluster } of cells) await cluster.stop();
      await rm(folder, { recursive: true });
    }, LONG_MS);

    async function startCell(name: string): Promise<OwnedDatabase> {
      await mkdir(join(folder, name));
      const settings = { wal_level: 'logical' };
      const options = { page, folder: join(folder, name, 'data'), settings };
      const database = await startOwnedDatabase(version, options);
      await migrate(database.ownerUrl, SOURCE_SCHEMA);
      return database;
    }
    const addresses = () => ({
      DATABASE_URL: cells[0].ownerUrl,
      TARGET_DATABASE_URL: cells[1].cluster.url('plat'),
      REPLICATION_URL: cells[0].url('mover', PASSWORD),
    });
    const tenantsIn = (cell: 0 | 1) =>
      ask(
        cells[cell].cluster.url('plat'),
        `SELECT c.reason, c.api_url FROM identity.tenants
           LEFT JOIN identity.closed_tenants c USING (tenant_id) WHERE tenant_id = '${tenantId}'`,
      );

    it(
      'is cancelled before its switch: the old cell serves the tenant, and the new one has no row of it',
      async () => {
        const { DATABASE_URL, TARGET_DATABASE_URL, REPLICATION_URL } = addresses();
        const onStep = () => {
          throw new Error('interrupted');
        };
        const begun = withOwner(DATABASE_URL, (from) =>
          withOwner(TARGET_DATABASE_URL, (to) =>
            moveTenant({ from, to, replicationUrl: REPLICATION_URL }, 'acme', {
              apiUrl: 'https://two',
              onStep,
            }),
          ),
        );
        await expect(begun).rejects.toThrow('interrupted');
        expect(await tenantsIn(1)).toEqual([{ reason: 'arriving', api_url: null }]);
        expect(await page.follow('move-cancel', addresses())).toContain('The move of acme is cancelled');
        expect(await tenantsIn(0)).toEqual([{ reason: null, api_url: null }]);
        expect(await tenantsIn(1)).toEqual([]);
      },
      LONG_MS,
    );

    it(
      'sends the tenant to the address of the page, and finishes',
      async () => {
        let block = page.block('sh', 'move-tenant');
        for (const [name, url] of Object.entries(addresses())) {
          block = block.replace(`${name}=…`, `${name}='${url}'`);
        }
        expect(block).not.toContain('…');
        expect(await page.run(block, {})).toContain('is served at https://api.two.example.com');
        expect(await tenantsIn(0)).toEqual([{ reason: 'moved', api_url: 'https://api.two.example.com' }]);
        expect(await tenantsIn(1)).toEqual([{ reason: null, api_url: null }]);
        await page.follow('move-finish', addresses());
        const left = `SELECT FROM identity.users WHERE tenant_id = '${tenantId}'`;
        expect(await ask(cells[0].cluster.url('plat'), left)).toEqual([]);
        expect(await ask(cells[1].cluster.url('plat'), left)).not.toEqual([]);
        for (const statement of page.block('sql', 'move-end').trim().split('\n')) {
          await cells[0].asSuperuser(statement);
        }
        const replicating = `SELECT rolname FROM pg_roles WHERE rolreplication AND NOT rolsuper`;
        expect(await ask(cells[0].cluster.url(), replicating)).toEqual([]);
      },
      LONG_MS,
    );
  },
);

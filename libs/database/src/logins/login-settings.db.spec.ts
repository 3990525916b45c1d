import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { migrate } from '../migrations/migrate';
import { LOGIN_ROLES, setLoginPasswords } from './logins';

const ROLE = LOGIN_ROLES.releases;

describe('what whoever has taken over a login has set for it', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-login-settings-'));
    cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: false });
    await run(cluster.url(), `CREATE ROLE owner LOGIN CREATEROLE CREATEDB PASSWORD 'test'`);
    await run(cluster.url(), 'CREATE DATABASE plat OWNER owner');
    await migrate(urlOf('owner'));
    await setLoginPasswords(urlOf('owner'), { [ROLE]: 'test' });
  }, 60_000);
  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  const urlOf = (role: string): string =>
    Object.assign(new URL(cluster.url('plat')), { username: role, password: 'test' }).href;

  async function run(url: string, ...statements: string[]): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      let rows: unknown[] = [];
      for (const statement of statements) ({ rows } = await client.query<object>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  const settings = () =>
    run(
      cluster.url('plat'),
      `SELECT setdatabase <> 0 AS one, setconfig FROM pg_db_role_setting WHERE setrole = '${ROLE}'::regrole`,
    );

  it('does not outlive the change of its password', async () => {
    const before = await settings();
    await run(
      urlOf(ROLE),
      `ALTER ROLE ${ROLE} SET search_path = shadow`,
      `ALTER ROLE ${ROLE} SET statement_timeout = 0`,
      `ALTER ROLE ${ROLE} RESET lock_timeout`,
      `ALTER ROLE ${ROLE} IN DATABASE plat SET default_transaction_read_only = on`,
    );
    expect(await settings()).not.toEqual(before);
    await setLoginPasswords(urlOf('owner'), { [ROLE]: 'test' });
    const sorted = (rows: unknown[]) =>
      (rows as { one: boolean; setconfig: string[] }[]).map(({ one, setconfig }) => ({
        one,
        setconfig: setconfig.sort(),
      }));
    expect(sorted(await settings())).toEqual(sorted(before));
  });
});

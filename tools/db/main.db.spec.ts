import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { LOGIN_ROLES } from '@plat/database';
import { execFile } from '@plat/testing';
import { runCommandLine } from './command-line';

const root = join(__dirname, '..', '..');
const clusterUrl = process.env.PLAT_TEST_DATABASE_URL!;
const DIRECTORY = `tenants: [{ name: acme }]
issuers: [{ name: own, url: "https://id.example", audience: plat, tenant: acme }]
users: [{ tenant: acme, username: alice, issuer: own, subject: s, roles: [TenantAdmin] }]`;

/** Runs the command in this process. */
async function db(args: string[], env: Record<string, string>) {
  let [stdout, stderr] = ['', ''];
  const code = await runCommandLine(args, {
    env,
    print: (line) => (stdout += `${line}\n`),
    report: (line) => (stderr += `${line}\n`),
  });
  return { code, stdout, stderr };
}

/** Runs the command as `npm run db` does. */
const npmRunDb = (args: string[], environment: Record<string, string>) =>
  program(['tools/db/main.ts', ...args], environment);

function program(args: string[], environment: Record<string, string>) {
  const entry = [join(root, 'tools', 'build', 'run-ts.mjs'), ...args];
  const { PATH = '', HOME = '' } = process.env;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: root, env: { PATH, HOME, ...environment } };
    execFile(process.execPath, entry, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

async function asOwner<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = new Client(url);
  await client.connect();
  return client
    .query<T>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

describe('npm run db', () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).toString();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-db-'));
    await asOwner(clusterUrl, `CREATE DATABASE ${name}`);
  });
  afterAll(async () => {
    await asOwner(clusterUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    await rm(folder, { recursive: true });
  });

  it('migrates an empty database, applies its directory, and reports status and fault before', async () => {
    const pending = await npmRunDb(['status'], { DATABASE_URL: url });
    expect(pending).toMatchObject({ code: 1, stderr: '' });
    expect(pending.stdout).toMatch(/^pending +0001_schemas$/m);

    const examined = await npmRunDb(['doctor'], { DATABASE_URL: url });
    expect(examined).toMatchObject({ code: 1, stderr: '' });
    expect(examined.stdout).toMatch(
      /^error \(migrations\): the database has no schema of plat[^]*\n {2}mend: npm run db -- migrate\n1 error, 0 warnings\n$/,
    );

    const file = join(folder, 'directory.yaml');
    await writeFile(file, DIRECTORY);
    const migrated = await npmRunDb(['migrate', '--directory', file], { DATABASE_URL: url });
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toMatch(/^applied 0001_schemas\n[^]*The directory is applied\.\n$/);

    const again = await npmRunDb(['migrate', '--directory', file], { DATABASE_URL: url });
    expect(again).toMatchObject({
      code: 0,
      stdout: 'The schema is up to date.\nThe directory is applied.\n',
    });
    const status = await npmRunDb(['status'], { DATABASE_URL: url });
    expect(status.code).toBe(0);
    expect(await npmRunDb(['destroy'], {})).toMatchObject({ code: 1, stdout: '' });
    expect(status.stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z  0001_schemas$/m);
    expect(await asOwner(url, 'SELECT username FROM identity.users')).toEqual([{ username: 'alice' }]);
  }, 60_000);

  it('sets the passwords of the logins whose variables are set', async () => {
    // All specs of the run share the cluster's roles, so this sets the password that the role has already.
    const { code, stdout } = await db(['logins'], { DATABASE_URL: clusterUrl, PLAT_AUDIT_PASSWORD: 'test' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'set the password of plat_audit\n' });
    const { code: refused, stderr } = await db(['logins'], { DATABASE_URL: clusterUrl });
    expect(refused).toBe(1);
    for (const role of Object.values(LOGIN_ROLES)) expect(stderr).toContain(`${role.toUpperCase()}_PASSWORD`);
  }, 30_000);

  it('refuses a directory file with faults before it changes anything', async () => {
    const file = join(folder, 'faulty.yaml');
    await writeFile(file, 'tenants: [{ name: A }, { name: b, kind: x }]');
    const { code, stderr, stdout } = await db(['migrate', '--directory', file], { DATABASE_URL: url });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('name must match');
    expect(stderr).toContain('kind must be one of');
    const missing = await db(['migrate', '--directory', 'none.yaml'], { DATABASE_URL: url });
    expect(missing).toMatchObject({
      code: 1,
      stderr: `The directory file ${join(process.cwd(), 'none.yaml')} cannot be read: it is not there.\n`,
    });
  }, 30_000);

  it('checks a directory file without a database, and names an unknown key', async () => {
    const file = join(folder, 'checked.yaml');
    await writeFile(file, 'tenants: [{ name: acme }, { name: ops, kind: operations }]');
    expect(await db(['directory', '--check', file], {})).toEqual({
      code: 0,
      stdout: 'The directory file has no fault: 2 tenants, 0 issuers, 0 roles, 0 users, 0 environments.\n',
      stderr: '',
    });
    await writeFile(file, 'tenants: [{ name: acme }]');
    expect((await db(['directory', '--check', file], {})).stdout).toContain(': 1 tenant, 0 issuers,');
    await writeFile(file, 'tenants: [{ name: acme, colour: red }]\nissuer: []');
    const { code, stderr } = await db(['directory', '--check', file], {});
    expect(code).toBe(1);
    expect(stderr).toContain('tenants: 0: property colour should not exist');
    expect(stderr).toContain('property issuer should not exist');
  }, 30_000);

  it.each<[string, string[], Record<string, string>, string]>([
    ['a directory without --check', ['directory'], {}, 'npm run db -- <command>'],
    ['--check for another command', ['status', '--check', 'x'], {}, 'npm run db -- <command>'],
    ['a repository for another command', ['status', '--repository', 'x'], {}, 'npm run db -- <command>'],
    ['no DATABASE_URL', ['migrate'], {}, 'DATABASE_URL is not set'],
    [
      'a DATABASE_URL that is no address',
      ['status'],
      { DATABASE_URL: 'nonsense:hunter2' },
      'DATABASE_URL must be postgres://',
    ],
    [
      'a port on which no server listens',
      ['status'],
      { DATABASE_URL: 'postgres://o:hunter2@127.0.0.1:1/x' },
      'does not answer at 127.0.0.1:1',
    ],
    [
      'a database that does not exist',
      ['status'],
      { DATABASE_URL: clusterUrl.replace(/\/[^/]*$/, '/nowhere') },
      'does not exist',
    ],
    ['an unknown command', ['destroy'], {}, 'npm run db -- <command>'],
    ['an unknown option', ['migrate', '--force'], {}, 'npm run db -- <command>'],
    ['a directory for another command', ['status', '--directory', 'x'], {}, 'npm run db -- <command>'],
  ])(
    'ends with 1 and reports the fault, without a stack or a password: %s',
    async (_, args, environment, message) => {
      const { code, stdout, stderr } = await db(args, environment);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).not.toMatch(/^ +at |hunter2/m);
    },
    30_000,
  );

  it.each([['help'], ['--help'], []])(
    'prints the usage: %s',
    async (...args) => {
      const { code, stdout } = await db(args, {});
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('migrate [--directory FILE]'),
      });
    },
    30_000,
  );
});

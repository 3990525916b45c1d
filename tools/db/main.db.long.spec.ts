import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { execFile, makeSelfSignedCertificate, serveTls } from '@plat/testing';
import { runCommandLine } from './command-line';

const root = join(__dirname, '..', '..');
const clusterUrl = process.env.PLAT_TEST_DATABASE_URL!;

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
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-db-'));
    await asOwner(clusterUrl, `CREATE DATABASE ${name}`);
  });
  afterAll(async () => {
    await asOwner(clusterUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    await rm(folder, { recursive: true });
  });

  it('takes secrets from files, and verifies the database by DATABASE_CA_FILE', async () => {
    const own = await makeSelfSignedCertificate();
    const front = await serveTls(own, Number(new URL(clusterUrl).port));
    const fileOf = async (file: string, content: string) => {
      await writeFile(join(folder, file), content);
      return join(folder, file);
    };
    const address = Object.assign(new URL(clusterUrl), {
      hostname: 'localhost',
      port: `${(front.address() as AddressInfo).port}`,
    });
    const given = {
      DATABASE_URL_FILE: await fileOf('url', `${address}\n`),
      DATABASE_CA_FILE: await fileOf('ca', own.cert),
      PLAT_AUDIT_PASSWORD_FILE: await fileOf('password', 'test\n'),
    };
    const { code, stdout, stderr } = await db(['logins'], given);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'set the password of plat_audit\n',
      stderr: '',
    });
    const other = await fileOf('other', (await makeSelfSignedCertificate()).cert);
    const refused = await db(['logins'], { ...given, DATABASE_CA_FILE: other });
    const unproven = { code: 1, stderr: expect.stringContaining('self-signed certificate') as string };
    expect(refused).toMatchObject(unproven);
    const invariants = ['tools/db/invariants.ts'];
    expect(await program(invariants, { ...given, DATABASE_CA_FILE: other })).toMatchObject(unproven);
    front.close();
  }, 30_000);

  it('says whether a repository can be read, without a database', async () => {
    const url = 'https://127.0.0.1:1/team/project.git';
    const closed = await db(['doctor', '--repository', url, '--json'], {});
    expect(closed.code).toBe(1);
    expect(JSON.parse(closed.stdout)).toMatchObject({ findings: [{ check: 'repository' }] });
    expect(await db(['doctor', '--repository', url], { REPOSITORY_NETWORKS: '::/0' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('::/0 would open every address'),
    });
  }, 30_000);

  it.each([
    [['doctor', '--repo', 'x'], "Unknown option '--repo'."],
    [['doctor', '--repository'], "Option '--repository <value>' argument missing."],
    [['prune', '--keep-audits', '2years'], "Unknown option '--keep-audits'."],
    [['delete-tenant', 'acme', '--confrm', 'acme'], "Unknown option '--confrm'."],
    [['status', '--json'], 'status takes no --json, which is an option of doctor.'],
    [['status', 'now'], 'status takes no argument "now".'],
    [['directory'], 'directory needs --check FILE.'],
  ])('names an argument that does not fit, before the usage: %j', async (args, line) => {
    const { code, stdout, stderr } = await db(args, { DATABASE_URL: clusterUrl });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^${line}\n\nnpm run db -- `));
  });

  it.each([
    ['statsu', 'There is no command "statsu". Is "status" meant?'],
    ['prun', 'There is no command "prun". Is "prune" meant?'],
    ['nonsense', 'There is no command "nonsense".'],
  ])('names a command that there is not, before the usage: %s', async (command, line) => {
    const { code, stdout, stderr } = await db([command], {});
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      line,
      '',
      expect.stringContaining('npm run db -- <command>'),
    ]);
  });
});

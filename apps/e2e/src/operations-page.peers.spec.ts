/**
 * @peers postgresql-15
 * @paths docs/operations.md apps/platform libs apps/plat/src/session apps/e2e/src tools/db
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { platformService } from '@plat/platform';
import { claimsOf, execFile, startTestService, TEST_TENANTS } from '@plat/testing';
import { connectionVariables, PageCommands } from './restore/page-commands';
import { ask } from './restore/portrait';
import { type OwnedDatabase, startOwnedDatabase } from './rotation/owned-database';
import { signInHome } from './signed-in-home';

const PASSWORD = 'spec-of-the-page';
const LONG_MS = 300_000;

describe.each(['15', '18'] as const)(
  "the operator's pages, followed as the owner that they make, on PostgreSQL %s",
  (version) => {
    let folder: string;
    let page: PageCommands;
    let guide: PageCommands;
    let database: OwnedDatabase;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'plat-operations-'));
      page = await PageCommands.in(folder);
      guide = await PageCommands.in(folder, 'deploy/README.md');
      database = await startOwnedDatabase(version, { page, folder: join(folder, 'database') });
      await writeFile(join(folder, 'directory.yaml'), guide.block('yaml', 'directory'));
    }, LONG_MS);
    afterAll(async () => {
      await database.cluster.stop();
      await rm(folder, { recursive: true });
    });

    const asOwner = () => ({ DATABASE_URL: database.ownerUrl });
    const names = async (sql: string): Promise<string[]> =>
      (await ask(database.ownerUrl, sql)).map((row) => Object.values(row)[0]!);

    it('the doctor names the cause for a repository that the service cannot read', async () => {
      await expect(page.follow('repository', asOwner())).rejects.toThrow(/project\.git cannot be read: /);
    });

    it('the directory file of the guide has no fault', async () => {
      expect(await page.follow('directory', {})).toContain('no fault');
    });

    it(
      'the guide migrates, applies the directory and sets passwords, and nothing is left to do',
      async () => {
        const block = guide
          .block('sh', 'migrate')
          .replace('postgres://plat_owner:…@db.example.com:5432/plat', database.ownerUrl)
          .replaceAll('=…', `=${PASSWORD}`);
        expect(block).not.toContain('…');
        const printed = await guide.run(block, {});
        expect(printed).toContain('The directory is applied.');
        const login = database.url('plat_reviews', PASSWORD);
        expect(await ask(login, 'SELECT session_user::text AS login')).toEqual([{ login: 'plat_reviews' }]);
      },
      LONG_MS,
    );

    it.each(['states', 'audiences'])(
      'the file with %s is applied to it',
      async (name) => {
        const other = join(folder, name);
        await mkdir(other);
        await writeFile(join(other, 'directory.yaml'), page.block('yaml', name));
        const there = await PageCommands.in(other);
        expect(await there.follow('directory', {})).toContain('no fault');
        await there.run('npm run db -- migrate --directory "$PWD/directory.yaml"', asOwner());
      },
      LONG_MS,
    );

    it('a hold is entered, and the open transactions are read', async () => {
      await ask(database.ownerUrl, page.block('sql', 'hold'));
      expect(await names('SELECT reason FROM audit.holds')).toEqual(['case 7']);
      await page.typeInPsql(page.block('sql', 'open-transactions'), {
        environment: connectionVariables(database.cluster.url()),
        answers: [],
      });
    });

    it('the key of proofs is replaced', async () => {
      const key = 'SELECT key::text FROM identity.proof_keys';
      const [former] = await names(key);
      await page.typeInPsql(page.block('sql', 'proof-key'), {
        environment: connectionVariables(database.ownerUrl),
        answers: [],
      });
      expect(await names(key)).toEqual([expect.stringMatching(/^\\x[0-9a-f]{64}$/)]);
      expect(await names(key)).not.toEqual([former]);
    });

    it("PostgreSQL's own files are found", async () => {
      const files = await page.follow('configuration', connectionVariables(database.cluster.url()));
      expect(files).toMatch(/^config_file\|\//m);
      expect(files.trim().split('\n')).toHaveLength(4);
    });

    it(
      'a person is erased, then the tenant, whose trail is kept',
      async () => {
        expect(await page.follow('erase', asOwner())).not.toBe('');
        await page.follow('delete-tenant', asOwner());
        expect(await names('SELECT name FROM identity.tenants')).toEqual(['ops']);
        const kept = (await readFile(join(folder, 'acme-trail.jsonl'), 'utf8')).trimEnd().split('\n');
        expect(JSON.parse(kept.at(-1)!)).toHaveProperty('sha256');
      },
      LONG_MS,
    );

    it('the platform ends, and no role of it is left', async () => {
      await page.typeInPsql(page.block('sql', 'end'), {
        environment: connectionVariables(database.cluster.url()),
        answers: [],
      });
      const left = `SELECT rolname FROM pg_roles WHERE rolname LIKE 'plat%'`;
      expect(await ask(database.cluster.url(), left)).toEqual([]);
    });
  },
);

describe("the operator's pages on keys and checkpoints", () => {
  let folder: string;
  let page: PageCommands;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-operations-'));
    page = await PageCommands.in(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('make keys of the kind that the services take', async () => {
    await page.run('openssl genpkey -algorithm ed25519 -out present.pem', {});
    await page.follow('receipt-key', {});
    await page.follow('ledger-key', {});
    for (const name of ['new.pem', 'second.pem']) {
      const key = createPrivateKey(await readFile(join(folder, name), 'utf8'));
      expect(key.asymmetricKeyType).toBe('ed25519');
    }
    const former = (await readFile(join(folder, 'former-keys.pem'), 'utf8')).split(
      /(?<=END PUBLIC KEY-----\n)/,
    );
    expect(former.map((pem) => createPublicKey(pem).asymmetricKeyType)).toEqual(['ed25519', 'ed25519']);
  });

  it('move a recorded checkpoint away, and keep it', async () => {
    const identity = '-c user.name=spec -c user.email=spec@example.com';
    await page.run(
      `git init --quiet --bare origin.git && git init --quiet work && cd work && git remote add origin ../origin.git
       git ${identity} commit --quiet --allow-empty --message one
       git push --quiet origin HEAD:refs/plat/checkpoints/t1`,
      {},
    );
    const block = page
      .block('sh', 'former-checkpoints')
      .replaceAll('<tenantId>', 't1')
      .replaceAll('<date>', '2026-11-26');
    await page.run(`cd work\n${block}`, {});
    const refs = await page.run('git -C origin.git for-each-ref --format="%(refname)"', {});
    expect(refs).toBe('refs/plat/former-checkpoints/t1/2026-11-26\n');
  });
});

describe("the operator's page on a tenant's users", () => {
  it(
    'is followed by an administrator of the tenant',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'plat-operations-'));
      const service = await startTestService(platformService);
      const build = ['apps/plat/build.mjs', '--if-stale'];
      const { stdout: plat } = await promisify(execFile)(process.execPath, build, { cwd: workspaceRoot() });
      // In the tenant globex no user is named bob yet.
      const accessToken = await service.issuer.token(claimsOf('mallory'));
      await signInHome(folder, { apiUrl: service.url, issuer: service.issuer.url, accessToken });
      const page = await PageCommands.in(folder);
      await page.run(`plat() { node ${plat.trim()} "$@"; }\n${page.block('sh', 'users')}`, {});
      const rows = await service.database.query<{ role: string; active: boolean }>(
        `SELECT r.name AS role, u.disabled_at IS NULL AS active
         FROM identity.users u JOIN identity.user_roles USING (tenant_id, user_id) JOIN identity.roles r USING (tenant_id, role_id)
        WHERE u.username = 'bob' AND u.tenant_id = $1`,
        [TEST_TENANTS.globex.tenantId],
      );
      expect(rows).toEqual([{ role: 'TenantAdmin', active: true }]);
      await service.stop();
      await rm(folder, { recursive: true });
    },
    LONG_MS,
  );
});

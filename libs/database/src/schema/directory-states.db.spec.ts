import {
  createTestDatabase,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import type { Directory, DirectoryState } from '../directory/directory';

const ISSUER = 'https://id.example';
const OPTIONS = { issuer: ISSUER, subject: 'subject-of-alice', organization: TEST_TENANTS.acme.organization };

describe('what a directory disables and removes', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    await applyDirectory(database.ownerUrl, testDirectory(ISSUER));
  });
  afterEach(() => database.drop());

  /** Applies the test directory as a case changes it. */
  async function apply(change: (directory: Directory) => void): Promise<void> {
    const directory = testDirectory(ISSUER);
    change(directory);
    await applyDirectory(database.ownerUrl, directory);
  }
  const alice = (directory: Directory) => directory.users.find(({ username }) => username === 'alice')!;
  const setIssuer = (state?: DirectoryState) => apply(({ issuers }) => void (issuers[0]!.state = state));
  const setUser = (state?: DirectoryState) => apply((directory) => void (alice(directory).state = state));
  const setTenant = (state?: 'active' | 'disabled') =>
    apply(({ tenants }) => void (tenants.find(({ name }) => name === 'acme')!.state = state));
  const setOrganization = (state?: DirectoryState) =>
    apply(({ issuers }) => {
      issuers[0]!.organizations = {
        ...issuers[0]!.organizations,
        [OPTIONS.organization]: { tenant: 'acme', state },
      };
    });

  /** Resolves alice's token. @returns her name, or the code of the refusal */
  async function aliceIs({ issuer, subject, organization } = OPTIONS): Promise<string | undefined> {
    const asked = database.query<{ username: string }>('SELECT * FROM identity.resolve_caller($1, $2, $3)', [
      issuer,
      subject,
      organization,
    ]);
    return asked.then(
      ([row]) => row?.username,
      (error: Error) => error.message,
    );
  }

  it.each([
    ['a user', 'USER_DISABLED', setUser],
    ['an issuer', 'UNAUTHENTICATED', setIssuer],
    ['an organization', undefined, setOrganization],
    ['a tenant', 'TENANT_DISABLED', setTenant],
  ] as const)(
    'refuses the caller while %s is disabled, and neither a file without a state nor a repetition changes that',
    async (_, refusal, set) => {
      expect(await aliceIs()).toBe('alice');
      await set('disabled');
      expect(await aliceIs()).toBe(refusal);
      await set();
      await set('disabled');
      expect(await aliceIs()).toBe(refusal);
      await set('active');
      expect(await aliceIs()).toBe('alice');
    },
  );

  it('names no keys of a disabled issuer, and names them again when it is active', async () => {
    const listKnownIssuers = () => database.query('SELECT url FROM identity.known_issuers()');
    await setIssuer('disabled');
    expect(await listKnownIssuers()).toEqual([]);
    await setIssuer('active');
    expect(await listKnownIssuers()).toEqual([{ url: ISSUER }]);
  });

  it('names each audience of an issuer, the first one last, and no more than the file', async () => {
    const listAudiences = async () =>
      (await database.query<{ audience: string }>('SELECT audience FROM identity.known_issuers()')).map(
        ({ audience }) => audience,
      );
    const set = (audience: string | string[]) => {
      const directory = testDirectory(ISSUER);
      const issuers = directory.issuers.map((issuer) => ({ ...issuer, audience }));
      return applyDirectory(database.ownerUrl, { ...directory, issuers });
    };
    await set(['first', 'second', 'third']);
    expect(await listAudiences()).toEqual(['second', 'third', 'first']);
    await set('second');
    expect(await listAudiences()).toEqual(['second']);
  });

  it('keeps the row of a removed user, whom reviews and the trail name, disabled and without roles or subject', async () => {
    await setUser('removed');
    await setUser('removed');
    expect(
      await database.query(
        `SELECT disabled_at IS NOT NULL AS disabled, (SELECT count(*)::int FROM identity.subjects s WHERE s.user_id = u.user_id) AS subjects,
                (SELECT count(*)::int FROM identity.user_roles r WHERE r.user_id = u.user_id) AS roles
           FROM identity.users u WHERE username = 'alice'`,
      ),
    ).toEqual([{ disabled: true, subjects: 0, roles: 0 }]);
    await setUser('active');
    expect(await aliceIs()).toBe('alice');
  });

  it('removes an organization, whose tokens then name no tenant', async () => {
    await setOrganization('removed');
    expect(await aliceIs()).toBeUndefined();
    await setOrganization('active');
    expect(await aliceIs()).toBe('alice');
  });

  it('removes an issuer with its organizations and subjects, and keeps the users', async () => {
    const users = () => database.query('SELECT * FROM identity.users ORDER BY user_id');
    const before = await users();
    const remove = (directory: Directory) => {
      directory.issuers[0]!.state = 'removed';
      directory.users = [];
    };
    await apply(remove);
    await apply(remove);
    expect(await aliceIs()).toBeUndefined();
    for (const table of ['issuers', 'organizations', 'subjects']) {
      expect(await database.query(`SELECT FROM identity.${table}`)).toEqual([]);
    }
    expect(await users()).toEqual(before);
  });

  it('takes no deletion job of a disabled tenant', async () => {
    await database.query(
      `INSERT INTO environments.deletions (tenant_id, environment_id, requested_by, namespace)
       SELECT tenant_id, environment_id, $2, 'acme-dev' FROM environments.environments WHERE tenant_id = $1`,
      [TEST_TENANTS.acme.tenantId, TEST_USERS.alice.userId],
    );
    const claim = () => database.query('SELECT FROM environments.claim_deletion_job(gen_random_uuid(), 0)');
    await setTenant('disabled');
    expect(await claim()).toEqual([]);
    await setTenant('active');
    expect(await claim()).toHaveLength(1);
  });
});

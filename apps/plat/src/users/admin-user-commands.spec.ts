import { signedInMachine } from '../black-box/signed-in';

const TENANT = '0198f2a4-0000-7c3e-9d0b-5b1f0c9a2e11';
const ALICE = '0198f2a4-1111-7c3e-9d0b-5b1f0c9a2e11';
const BOB = '0198f2a4-2222-7c3e-9d0b-5b1f0c9a2e11';
const ELSEWHERE = '0198f2a4-3333-7c3e-9d0b-5b1f0c9a2e11';
const ADMIN = { roleId: '0198f2a4-4444-7c3e-9d0b-5b1f0c9a2e11', name: 'TenantAdmin' };
const USER = { roleId: '0198f2a4-5555-7c3e-9d0b-5b1f0c9a2e11', name: 'TenantUser' };
const SINCE = '2026-01-02T03:04:05.000Z';
const alice = { userId: ALICE, tenantId: TENANT, username: 'alice' };
const bob = { userId: BOB, tenantId: TENANT, username: 'bob', disabledAt: SINCE };

describe('plat admin user', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    const { platform, machine } = bundle;
    platform.answer('GET /v1/whoami', { body: { ...alice, roles: [] } });
    platform.answer('GET /v1/users', {
      body: [alice, bob, { userId: ELSEWHERE, tenantId: ELSEWHERE, username: 'mallory' }],
    });
    platform.answer('GET /v1/roles', { body: [ADMIN, USER] });
    platform.answer(`GET /v1/users/${ALICE}/roles`, { body: [ADMIN] });
    platform.answer(`POST /v1/users/${ALICE}/roles`, { status: 201, body: USER });
    platform.answer(`DELETE /v1/users/${ALICE}/roles/${ADMIN.roleId}`, { status: 204 });
    platform.answer(`PATCH /v1/users/${ALICE}/status`, { body: { ...alice, disabledAt: SINCE } });
    platform.answer(`PATCH /v1/users/${BOB}/status`, { body: { ...bob, disabledAt: undefined } });
    platform.answer('POST /v1/users', { status: 201, body: { ...alice, username: 'carol' } });
    const plat = (...args: string[]) => machine.plat(['admin', 'user', ...args]);
    const bodies = (line: `${string} /${string}`) => platform.to(line).map(({ body }) => body as unknown);
    return { ...bundle, plat, bodies };
  }

  it("lists the users of the caller's own tenant, or those who are disabled", async () => {
    const { plat } = await setUp();
    expect((await plat('list', '--json')).json()).toEqual([alice, bob]);
    expect((await plat('list', '--disabled')).stdout).toBe(`${BOB}\tbob\t${SINCE}\n`);
  });

  it('enrols a user with the roles that are named, by their ids', async () => {
    const { plat, bodies } = await setUp();
    const run = await plat(
      'add',
      'carol',
      '--subject',
      's-1',
      '--role',
      'TenantUser',
      '--role',
      'TenantUser',
    );
    expect(run).toMatchObject({ code: 0, stdout: `carol is enrolled as ${ALICE}.\n` });
    expect(bodies('POST /v1/users')).toEqual([{ username: 'carol', subject: 's-1', roleIds: [USER.roleId] }]);
  });

  it('enrols no user without a subject, who could never sign in and would keep the name', async () => {
    const { plat, platform } = await setUp();
    const run = await plat('add', 'carol', '--json');
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ code: 'USAGE', message: expect.stringContaining('subject') });
    expect(platform.to('POST /v1/users')).toEqual([]);
  });

  it('sets the subject of a user who is enrolled, by a name or an id', async () => {
    const { plat, platform, bodies } = await setUp();
    platform.answer(`PUT /v1/users/${ALICE}/subject`, { body: alice });
    const issuer = 'https://id.example.com';
    expect(await plat('subject', 'alice', '--subject', 's-2', '--issuer', issuer)).toMatchObject({
      code: 0,
      stdout: 'alice signs in as s-2.\n',
    });
    expect((await plat('subject', ALICE, '--subject', 's-3')).code).toBe(0);
    expect(bodies(`PUT /v1/users/${ALICE}/subject`)).toEqual([
      { subject: 's-2', issuer },
      { subject: 's-3' },
    ]);
  });

  it('says that the issuer must be named where several serve the tenant', async () => {
    const { plat, platform } = await setUp();
    const refused = { code: 'INVALID_BODY', message: 'issuer must be named.', details: { field: 'issuer' } };
    platform.answer('POST /v1/users', { status: 400, body: refused });
    const { stderr } = await plat('add', 'carol', '--subject', 's-1');
    expect(stderr).toContain('next: repeat the command with --issuer <url>');
  });

  it('says of a user without a role what is missing', async () => {
    const { plat } = await setUp();
    const { stderr } = await plat('add', 'carol', '--subject', 's-1');
    expect(stderr).toContain(`next: plat admin user roles ${ALICE} --add TenantUser`);
  });

  it.each([
    ['disable', 'alice', ALICE, 'DISABLED', 'alice is disabled, and refused from the next request on.'],
    ['enable', BOB, BOB, 'ACTIVE', 'bob is served again.'],
  ])('%s takes a name or an id', async (verb, name, userId, status, line) => {
    const { plat, bodies } = await setUp();
    expect(await plat(verb, name)).toMatchObject({ code: 0, stdout: `${line}\n` });
    expect(bodies(`PATCH /v1/users/${userId}/status`)).toEqual([{ status }]);
  });

  it('gives and takes only what is not so already, and shows the roles held then', async () => {
    const { plat, bodies, platform } = await setUp();
    const run = await plat('roles', 'alice', '--add', 'TenantUser', '--remove', 'TenantAdmin', '--json');
    expect(run.json()).toEqual([ADMIN]);
    expect(bodies(`POST /v1/users/${ALICE}/roles`)).toEqual([{ roleId: USER.roleId }]);
    expect(platform.to(`DELETE /v1/users/${ALICE}/roles/${ADMIN.roleId}`)).toHaveLength(1);
    const again = await plat('roles', 'alice', '--add', 'TenantAdmin', '--remove', 'TenantUser');
    expect(again.code).toBe(0);
    expect(bodies(`POST /v1/users/${ALICE}/roles`)).toHaveLength(1);
  });

  it.each([
    ['no such user', ['disable', 'mallory'], 'NO_SUCH_USER', 'plat admin user list'],
    [
      'no such role',
      ['roles', 'alice', '--add', 'Boss'],
      'NO_SUCH_ROLE',
      'name one of TenantAdmin, TenantUser',
    ],
    [
      'a role both ways',
      ['roles', 'alice', '--add', 'TenantUser', '--remove', 'TenantUser'],
      'CONTRADICTORY_ROLES',
      'name it once',
    ],
  ])('ends with 1 and the next step, and changes nothing: %s', async (_, args, code, next) => {
    const { plat, platform } = await setUp();
    const run = await plat(...args, '--json');
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ code, details: { next } });
    expect(platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each([
    ['add', 'carol', '--subject', 's-1', '--role', 'TenantUser'],
    ['subject', 'alice', '--subject', 's-1'],
    ['disable', 'alice'],
    ['enable', 'bob'],
    ['roles', 'alice', '--add', 'TenantUser', '--remove', 'TenantAdmin'],
  ])('%s --dry-run changes nothing', async (...args) => {
    const { plat, platform } = await setUp();
    expect((await plat(...args, '--dry-run')).code).toBe(0);
    expect(platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

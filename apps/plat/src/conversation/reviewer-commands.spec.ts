import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const TENANT = '0198f2a4-0000-7c3e-9d0b-5b1f0c9a2e11';
const ALICE = '0198f2a4-1111-7c3e-9d0b-5b1f0c9a2e11';
const MALLORY = '0198f2a4-2222-7c3e-9d0b-5b1f0c9a2e11';
const ROUTE = `POST /v1/reviews/${ID}/reviewers`;

describe('the directory of users', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    const { platform, machine } = bundle;
    platform.answer('GET /v1/whoami', {
      body: { tenantId: TENANT, userId: ALICE, username: 'alice', roles: [] },
    });
    platform.answer('GET /v1/users', {
      body: [
        { userId: ALICE, tenantId: TENANT, username: 'alice' },
        { userId: MALLORY, tenantId: ID, username: 'mallory' },
      ],
    });
    const assigned = {
      tenantId: TENANT,
      reviewId: ID,
      userId: ALICE,
      createdAt: '2026-01-02T03:04:05.000Z',
      updatedAt: '2026-01-02T03:04:05.000Z',
    };
    platform.answer(ROUTE, { body: assigned });
    platform.answer(`GET /v1/reviews/${ID}/reviewers`, { body: [assigned] });
    platform.answer(`DELETE /v1/reviews/${ID}/reviewers/${ALICE}`, { status: 204 });
    return { ...bundle, plat: (...args: string[]) => machine.plat([...args, '--json']) };
  }

  it('is read once and then kept; --refresh reads it again; it contains the caller’s tenant only', async () => {
    const { plat, platform } = await setUp();
    for (const args of [[], [], ['--refresh']]) {
      expect((await plat('cloud', 'users', ...args)).json()).toMatchObject({ users: [{ userId: ALICE }] });
    }
    expect(platform.to('GET /v1/users')).toHaveLength(2);
  });

  it.each(['add', 'remove'])(
    'a cross-tenant user is refused before any network call by %s, and the message names the refresh',
    async (verb) => {
      const { plat, platform } = await setUp();
      await plat('cloud', 'users');
      const before = platform.requests.length;
      for (const user of [MALLORY, 'mallory', '']) {
        const run = await plat('review', 'reviewers', verb, ID, user);
        expect(run.code).toBe(1);
        expect(run.json()).toMatchObject({
          code: 'USER_NOT_IN_TENANT',
          details: { next: 'plat cloud users --refresh --alias work' },
        });
      }
      expect(platform.requests).toHaveLength(before);
    },
  );

  it('refuses all users before it was read', async () => {
    const { plat, platform } = await setUp();
    expect((await plat('review', 'reviewers', 'add', ID, 'alice')).json()).toMatchObject({
      message: expect.stringContaining('was not read yet'),
    });
    expect(platform.to(ROUTE)).toEqual([]);
  });

  it('assigns by name and by id, lists with names, and removes', async () => {
    const { plat, platform, machine } = await setUp();
    await plat('cloud', 'users');
    for (const user of ['alice', ALICE.toUpperCase()]) {
      expect(await plat('review', 'reviewers', 'add', ID, user)).toMatchObject({ code: 0, stderr: '' });
    }
    expect(platform.to(ROUTE).map(({ body }) => body)).toEqual([{ userId: ALICE }, { userId: ALICE }]);
    expect((await machine.plat(['review', 'reviewers', 'list', ID])).stdout).toBe(
      `${ALICE}\talice\t2026-01-02T03:04:05.000Z\n`,
    );
    const removed = await plat('review', 'reviewers', 'remove', ID, 'alice');
    expect(removed.json()).toEqual({ reviewId: ID, userId: ALICE, removed: true });
  });

  it('under --dry-run an assignment is checked and not made', async () => {
    const { plat, platform } = await setUp();
    await plat('cloud', 'users');
    const run = await plat('review', 'reviewers', 'add', ID, 'alice', '--dry-run');
    expect(run.json()).toEqual({
      dryRun: true,
      plan: [`platform: POST ${platform.url}/v1/reviews/${ID}/reviewers`],
    });
    expect(platform.to(ROUTE)).toEqual([]);
  });
});

import { GateCheckout } from '../black-box/gate-checkout';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const OTHER = '0198f2a4-8b72-7d4f-8e1c-6c2a1d0b3f22';
const HERE = 'https://git.example.com/acme/app';
const AT = '2026-01-02T03:04:05Z';

const review = (reviewId: string, fields: object = {}) => ({
  reviewId,
  tenantId: ID,
  authorUserId: ID,
  name: 'Add limits',
  repository: HERE,
  sourceBranch: 'topic',
  targetBranch: 'main',
  status: 'READY',
  createdAt: AT,
  updatedAt: AT,
  ...fields,
});

describe('the review of a command', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  /** A platform with these reviews, which filters them as the service does, and a checkout of the repository. */
  async function setUp(...reviews: ReturnType<typeof review>[]) {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    platform.answer('GET /v1/reviews', ({ url }) => {
      const { searchParams } = new URL(url, platform.url);
      return {
        body: reviews.filter((each) =>
          [...searchParams].every(([field, value]) => (each as Record<string, unknown>)[field] === value),
        ),
      };
    });
    for (const each of reviews) platform.answer(`GET /v1/reviews/${each.reviewId}`, { body: each });
    const checkout = await GateCheckout.create(machine);
    await checkout.git('remote', 'set-url', 'origin', `${HERE}.git`);
    await checkout.git('switch', '--quiet', '--create', 'topic');
    const show = async (...args: string[]) => {
      const run = await machine.plat(['review', 'show', ...args, '--json'], { cwd: checkout.folder });
      return run.json() as Record<string, unknown>;
    };
    return { machine, show, cwd: checkout.folder };
  }

  it('is given by its branch, also if a part of an id could be called so', async () => {
    const { show } = await setUp(review(ID), review(OTHER, { sourceBranch: 'deadbeef' }));
    expect(await show('topic')).toMatchObject({ reviewId: ID });
    expect(await show('deadbeef')).toMatchObject({ reviewId: OTHER });
    expect(await show('5b1f0c9a2e11')).toMatchObject({ reviewId: ID });
  });

  it('is not named by fewer than six characters of its id: they are too short, and the reviews that have them are listed', async () => {
    const { show } = await setUp(review(ID), review(OTHER, { sourceBranch: 'other' }));
    const short = await show('0198');
    expect(short).toMatchObject({ code: 'INCOMPLETE_ID', details: { candidates: [ID, OTHER] } });
    expect(short.message).toContain('too short for a part of an id: give six characters or more');
    expect(await show('9999')).toMatchObject({ code: 'INCOMPLETE_ID' });
    expect(await show('topics')).toMatchObject({ code: 'NO_SUCH_ID' });
  });

  it('may be called by a branch as short as that', async () => {
    const { show } = await setUp(review(ID, { sourceBranch: '0198' }), review(OTHER));
    expect(await show('0198')).toMatchObject({ reviewId: ID });
  });

  it('is the live one of its branch, and a finished one only if none is live', async () => {
    const closed = review(OTHER, { status: 'CLOSED' });
    expect(await (await setUp(review(ID), closed)).show('topic')).toMatchObject({ reviewId: ID });
    expect(await (await setUp(closed)).show('topic')).toMatchObject({ reviewId: OTHER });
  });

  it('is the one of the repository of the checkout, if several have such a branch', async () => {
    const elsewhere = review(OTHER, { repository: 'https://git.example.com/acme/other' });
    const { show } = await setUp(review(ID), elsewhere);
    expect(await show('topic')).toMatchObject({ reviewId: ID });
  });

  it('of a branch that is proposed onto several targets is ambiguous, and the candidates are listed', async () => {
    const { show } = await setUp(review(ID), review(OTHER, { targetBranch: 'release', name: 'x\u001b[31m' }));
    for (const found of [await show('topic'), await show()]) {
      expect(found).toMatchObject({ code: 'AMBIGUOUS_ID', details: { candidates: [ID, OTHER] } });
      expect(found.message).toContain(`\n  ${OTHER}  READY  topic onto release  x [31m`);
    }
  });

  it('a text that is a part of one id and the branch of another review is ambiguous', async () => {
    const { show } = await setUp(review(ID), review(OTHER, { sourceBranch: '5b1f0c9a' }));
    expect(await show('5b1f0c9a')).toMatchObject({
      code: 'AMBIGUOUS_ID',
      details: { candidates: [ID, OTHER] },
    });
  });

  it('without a text is the live one of the branch that is checked out', async () => {
    const { show } = await setUp(review(ID), review(OTHER, { sourceBranch: 'other' }));
    expect(await show()).toMatchObject({ reviewId: ID });
  });

  it('that no one proposed is not there, and a text that is neither id nor branch is refused', async () => {
    const { show } = await setUp(review(ID));
    expect(await show('abc')).toMatchObject({ code: 'NO_SUCH_ID', exitCode: 1 });
    expect(await show('abcdef')).toMatchObject({ code: 'NO_SUCH_ID', exitCode: 1 });
    expect(await show('a..b')).toMatchObject({ code: 'INVALID_ID', exitCode: 1 });
    expect(await show('')).toMatchObject({ code: 'INVALID_ID', exitCode: 1 });
  });

  it('may be left out although another argument follows it', async () => {
    const { machine, cwd } = await setUp(review(ID));
    const run = await machine.plat(['review', 'resolve', OTHER, '--dry-run', '--json'], { cwd });
    const plan = (run.json() as { plan: string[] }).plan.join();
    expect(plan).toContain(`/v1/reviews/${ID}/comments/${OTHER}/status`);
  });
});

import { GateCheckout } from '../black-box/gate-checkout';
import { ended } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const NEVER = { body: {}, delayMilliseconds: 600_000 };

describe('a platform that accepts a call and never answers', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp(session: { expiresAt?: string } = {}) {
    const world = await signedInMachine(session);
    disposals.push(world.dispose);
    /** Resolves once the route is requested. */
    const silentAt = (route: string) =>
      new Promise<void>((asked) => {
        world.platform.answer(route, () => {
          asked();
          return NEVER;
        });
      });
    return { ...world, silentAt };
  }

  it.each([
    ['the review', ID, `GET /v1/reviews/${ID}`],
    ['the list that completes its id', ID.slice(-8), 'GET /v1/reviews'],
  ])('is waited for no longer than --timeout, with exit code 124: %s', async (_what, named, route) => {
    const { machine, silentAt } = await setUp();
    void silentAt(route);
    const run = await machine.plat(['review', 'wait', named, '--timeout', '1s', '--json']);
    expect(run.code).toBe(124);
    expect(run.json()).toMatchObject({
      code: 'TIMED_OUT',
      message: 'The platform has not answered: the time is up.',
      details: { next: `plat review show ${named}, or wait longer with --timeout <duration>` },
      exitCode: 124,
    });
  });

  it('cannot keep review wait from reporting a FAILED review, even without the reason', async () => {
    const { machine, platform, silentAt } = await setUp();
    const failed = { status: 'FAILED', name: 'Add limits', lastFailedBuildId: ID };
    platform.answer(`GET /v1/reviews/${ID}`, { body: failed });
    void silentAt(`GET /v1/reviews/${ID}/builds`);
    const run = await machine.plat(['review', 'wait', ID, '--timeout', '1s', '--json']);
    expect(run.json()).toMatchObject({ code: 'ENDED_ELSEWHERE', exitCode: 1 });
  });

  it.each([
    ['review wait', ['review', 'wait', ID], `GET /v1/reviews/${ID}`, 'SIGINT'],
    ['review wait', ['review', 'wait', ID], `GET /v1/reviews/${ID}`, 'SIGTERM'],
    ['review verify', ['review', 'verify', ID], `GET /v1/reviews/${ID}/merge-receipt`, 'SIGINT'],
  ] as const)('does not keep a signal from stopping %s: %j, %s, %s', async (_what, args, route, signal) => {
    const { machine, silentAt } = await setUp();
    const asked = silentAt(route);
    const child = await machine.start([...args, '--json']);
    const run = ended(child);
    await asked;
    child.kill(signal);
    expect((await run).json()).toMatchObject({ code: 'INTERRUPTED', message: `Stopped by ${signal}.` });
  });

  it('does not keep a signal from stopping exec gate-merge, which asks it for the names of the reviews', async () => {
    const { machine, silentAt } = await setUp();
    const checkout = await GateCheckout.create(machine);
    await checkout.branch('feature/1', { 'numbers.txt': 'one\n' });
    await checkout.git('remote', 'set-url', 'origin', `file://${checkout.origin}`);
    const asked = silentAt('GET /v1/reviews');
    const args = ['exec', 'gate-merge', '--source', 'feature/1', '--target-branch', 'main', '--json'];
    const child = await machine.start(args, { cwd: checkout.folder });
    const run = ended(child);
    await asked;
    child.kill('SIGINT');
    expect((await run).json()).toMatchObject({ code: 'INTERRUPTED' });
  });
});

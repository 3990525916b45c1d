import { GateCheckout } from '../black-box/gate-checkout';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const RUN = {
  gateRunId: ID,
  verdict: 'RUNNING',
  sourceBranch: 's',
  targetBranch: 'main',
  mergeCommit: 'b'.repeat(40),
};

describe('the gate run commands', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    bundle.platform.answer('POST /v1/gate-runs', { body: RUN });
    bundle.platform.answer(`PATCH /v1/gate-runs/${ID}`, { body: { ...RUN, verdict: 'PASSED' } });
    bundle.platform.answer(`GET /v1/gate-runs/${ID}`, { body: RUN });
    bundle.platform.answer('GET /v1/gate-runs', { body: { gateRuns: [RUN], nextCursor: 'next' } });
    return { ...bundle, plat: (...args: string[]) => bundle.machine.plat([...args, '--json']) };
  }

  it('start reports the commits that gate-merge left in the checkout', async () => {
    const { machine, platform } = await setUp();
    const checkout = await GateCheckout.create(machine);
    const sourceCommit = await checkout.branch('s', { 'a.txt': 'a\n' });
    const at = { cwd: checkout.folder };
    const start = ['exec', 'gate-run', 'start', '--source-branch=s', '--target-branch=main', '--json'];
    expect((await machine.plat(start, at)).json()).toMatchObject({ code: 'NO_SOURCE_COMMIT' });
    await machine.plat(['exec', 'gate-merge', '--messages-on-stdin', '--source=s'], {
      ...at,
      input: 'Add a',
    });
    const mergeCommit = await checkout.git('rev-parse', 'HEAD');
    expect((await machine.plat([...start, '--review', ID], at)).json()).toMatchObject(RUN);
    expect(platform.to('POST /v1/gate-runs')[0]?.body).toEqual({
      sourceBranch: 's',
      targetBranch: 'main',
      sourceCommit,
      mergeCommit,
      reviewId: ID,
    });
  });

  it('report decides a run, and requires the failing step of a failed one', async () => {
    const { plat, platform } = await setUp();
    const report = (...flags: string[]) => plat('exec', 'gate-run', 'report', ID, ...flags);
    expect((await report('--verdict', 'FAILED')).json()).toMatchObject({ code: 'FAILING_STEP_REQUIRED' });
    expect((await report('--verdict', 'RUNNING')).json()).toMatchObject({ code: 'USAGE' });
    await report('--verdict', 'FAILED', '--failing-step', 'unit tests', '--log-ref', 'https://ci.example/1');
    expect(platform.to(`PATCH /v1/gate-runs/${ID}`).map(({ body }) => body)).toEqual([
      { verdict: 'FAILED', failingStep: 'unit tests', logRef: 'https://ci.example/1' },
    ]);
  });

  it('refuse an invalid id, before any call', async () => {
    const { plat, platform } = await setUp();
    for (const line of [
      ['gate', 'show', 'x'],
      ['exec', 'gate-run', 'report', 'x', '--verdict', 'PASSED'],
    ]) {
      expect((await plat(...line)).json()).toMatchObject({
        code: 'INVALID_ID',
        details: { next: 'plat gate list' },
      });
    }
    expect(platform.requests.filter(({ url }) => url.startsWith('/v1/gate-runs'))).toEqual([]);
  });

  it('list sends its filters and reports that there is more; show shows one', async () => {
    const { plat, platform, machine } = await setUp();
    const filters = [
      '--target-branch=main',
      '--source-branch=s',
      '--status=FAILED',
      '--limit=1',
      '--cursor=c',
    ];
    const run = await plat('gate', 'list', ...filters);
    expect(run.json()).toMatchObject({ gateRuns: [RUN], nextCursor: 'next' });
    expect(run.stderr).toBe('There are more: --cursor next\n');
    const url = new URL(platform.to('GET /v1/gate-runs')[0]?.url ?? '', platform.url);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      targetBranch: 'main',
      sourceBranch: 's',
      status: 'FAILED',
      limit: '1',
      cursor: 'c',
    });
    expect((await plat('gate', 'show', ID)).json()).toMatchObject(RUN);
    expect((await machine.plat(['gate', 'list'])).stdout).toBe(
      `${ID}\tRUNNING\ts\t${'b'.repeat(40)}\tmain\t\t\t2026-01-02T03:04:05.000Z\t\n`,
    );
  });
});

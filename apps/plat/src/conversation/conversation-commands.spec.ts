import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const ROOT = '0198f2a4-3333-7c3e-9d0b-5b1f0c9a2e11';
const COMMIT = 'a'.repeat(40);
const POST = `POST /v1/reviews/${ID}/comments`;
const ADDRESS = { commitId: COMMIT, filePath: 'src/clock.ts', line: 12 };
const THREAD = { commentId: ROOT, reviewId: ID, status: 'OPEN', body: 'why?', ...ADDRESS };

describe('the comment commands', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    bundle.platform.answer(POST, { body: THREAD });
    bundle.platform.answer(`GET /v1/reviews/${ID}/comments`, { body: [THREAD] });
    return { ...bundle, plat: (...args: string[]) => bundle.machine.plat([...args, '--json']) };
  }

  it("open a thread at an address, and reply at the thread's address", async () => {
    const { plat, platform } = await setUp();
    const at = ['--file', 'src/clock.ts', '--line', '12', '--commit-id', COMMIT];
    expect((await plat('review', 'comment', ID, '--body', 'why?', ...at)).json()).toMatchObject(THREAD);
    await plat('review', 'comment', ID, '--body', 'agreed', '--reply-to', ROOT);
    expect(platform.to(POST).map(({ body }) => body)).toEqual([
      { ...ADDRESS, body: 'why?' },
      { ...ADDRESS, body: 'agreed', parentCommentId: ROOT },
    ]);
  });

  it.each([
    [['--body', ' ', '--file', 'f', '--line', '1'], 'BLANK_BODY'],
    [['--body', 'b', '--file', 'f'], 'ADDRESS_REQUIRED'],
    [['--body', 'b', '--file', 'f', '--line', '1', '--commit-id', 'main'], 'INVALID_COMMIT_ID'],
    [['--body', 'b', '--file', 'f', '--line', '0'], 'INVALID_NUMBER'],
    [['--body', 'b', '--reply-to', 'x'], 'INVALID_ID'],
  ])('refuse %j as %s and call nothing', async (flags, code) => {
    const { plat, platform } = await setUp();
    const before = platform.requests.length;
    expect((await plat('review', 'comment', ID, ...flags)).json()).toMatchObject({ code, exitCode: 1 });
    expect(platform.requests).toHaveLength(before);
  });

  it('refuse a reply to a thread that the review does not have', async () => {
    const { plat } = await setUp();
    const run = await plat('review', 'comment', ID, '--body', 'b', '--reply-to', ID);
    expect(run.json()).toMatchObject({
      code: 'NO_SUCH_THREAD',
      details: { next: `plat review comments ${ID}` },
    });
  });

  it('resolve names the author of another user’s thread, and the override', async () => {
    const { plat, platform } = await setUp();
    const route = `PATCH /v1/reviews/${ID}/comments/${ROOT}/status`;
    platform.answer(route, {
      status: 403,
      body: { code: 'FORBIDDEN', message: 'Only the author may close it.' },
    });
    platform.answer(`GET /v1/reviews/${ID}`, { body: { targetBranch: 'main' } });
    const run = (await plat('review', 'resolve', ID, ROOT)).json<{
      message: string;
      details: { next: string };
    }>();
    expect(run.message).toMatch(/^Only the author may close it\. It is .*'s\.$/);
    expect(run.details.next).toContain(
      'plat review queue override-advance --target-branch main --reason <text>',
    );
  });

  it('resolve a thread and open it again', async () => {
    const { plat, platform } = await setUp();
    const route = `PATCH /v1/reviews/${ID}/comments/${ROOT}/status`;
    platform.answer(route, { body: THREAD });
    await plat('review', 'resolve', ID, ROOT);
    await plat('review', 'resolve', ID, ROOT, '--reopen');
    expect(platform.to(route).map(({ body }) => body)).toEqual([{ status: 'CLOSED' }, { status: 'OPEN' }]);
  });
});

describe('plat review wait', () => {
  async function setUpWait(statuses: string[], ...flags: string[]) {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answer(`GET /v1/reviews/${ID}`, () => {
      const status = statuses.length > 1 ? statuses.shift() : statuses[0];
      return { body: { reviewId: ID, name: 'Add limits', status } };
    });
    const run = await machine.plat(['review', 'wait', ID, '--json', ...flags]);
    await dispose();
    return run;
  }

  it.each([
    [['MERGE', 'MERGED'], [], 'MERGED'],
    [['MERGE', 'FAILED'], ['--until', 'merged,FAILED'], 'FAILED'],
    [['FAILED', 'READY'], ['--until', 'ready'], 'READY'],
  ])(
    'at %j with %j ends with 0 once the review has the awaited status: %s',
    async (statuses, flags, status) => {
      const run = await setUpWait(statuses, ...flags);
      expect(run.code).toBe(0);
      expect(run.json()).toMatchObject({ status });
    },
  );

  it.each([
    [['READY'], ['--timeout', '10ms'], 'TIMED_OUT', 124],
    // The built client reads its bundle as Latin 1, in which a letter beyond ASCII would be two.
    [['READY'], ['--timeout', '9µs'], 'TIMED_OUT', 124],
    [['CLOSED'], [], 'ENDED_ELSEWHERE', 1],
    [['MERGED'], ['--until', 'FAILED'], 'ENDED_ELSEWHERE', 1],
    [['READY'], ['--until', 'DONE'], 'INVALID_STATUS', 1],
    [['READY'], ['--timeout', 'soon'], 'INVALID_DURATION', 1],
  ])('at %j with %j fails as %s with %i', async (statuses, flags, code, exitCode) => {
    const run = await setUpWait(statuses, ...flags);
    expect(run.code).toBe(exitCode);
    expect(run.json()).toMatchObject({ code, exitCode });
  });

  it("at FAILED ends with 1 and the build's failure detail, so that wait && deploy deploys nothing", async () => {
    const { machine, platform, dispose } = await signedInMachine();
    const failed = { status: 'FAILED', name: 'Add limits', lastFailedBuildId: ROOT };
    platform.answer(`GET /v1/reviews/${ID}`, { body: failed });
    const build = {
      buildId: ROOT,
      kind: 'GATE',
      successful: false,
      failureDetail: '3 tests failed\nlimits.spec',
    };
    platform.answer(`GET /v1/reviews/${ID}/builds`, { body: [build] });
    const run = await machine.plat(['review', 'wait', ID]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^error ENDED_ELSEWHERE: "Add limits" is at FAILED, not at MERGED.\n {2}The gate build of .* failed at .*:\n {4}3 tests failed\n {4}limits.spec\n/,
    );
    const shown = await machine.plat(['review', 'show', ID]);
    expect(shown.stdout).toContain('  3 tests failed\n  limits.spec\n');
    const listed = (await machine.plat(['review', 'builds', ID, '--json'])).json();
    expect(listed).toMatchObject([{ failureDetail: '3 tests failed\nlimits.spec' }]);
    await dispose();
  });
});

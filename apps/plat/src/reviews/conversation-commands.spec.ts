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

  it('open a thread at an address, and reply where the thread stands', async () => {
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

  it('refuse a reply to what is no thread of the review', async () => {
    const { plat } = await setUp();
    const run = await plat('review', 'comment', ID, '--body', 'b', '--reply-to', ID);
    expect(run.json()).toMatchObject({
      code: 'NO_SUCH_THREAD',
      details: { next: `plat review comments ${ID}` },
    });
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
  async function waiting(statuses: string[], ...flags: string[]) {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answer(`GET /v1/reviews/${ID}`, () => {
      const status = statuses.length > 1 ? statuses.shift() : statuses[0];
      return { body: { reviewId: ID, name: 'Add limits', status } };
    });
    const run = await machine.plat(['review', 'wait', ID, '--json', ...flags]);
    await dispose();
    return run;
  }

  it('ends once the review is at one of the statuses', async () => {
    const run = await waiting(['MERGE', 'FAILED'], '--until', 'merged,FAILED');
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({ status: 'FAILED' });
  });

  it.each([
    [['READY'], ['--timeout', '10ms'], 'TIMED_OUT'],
    [['CLOSED'], [], 'STATUS_OUT_OF_REACH'],
    [['READY'], ['--until', 'DONE'], 'INVALID_STATUS'],
    [['READY'], ['--timeout', 'soon'], 'INVALID_DURATION'],
  ])('at %j with %j fails as %s', async (statuses, flags, code) => {
    const run = await waiting(statuses, ...flags);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ code });
  });
});

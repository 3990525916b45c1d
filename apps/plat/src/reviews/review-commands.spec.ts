import { BUILD_ID, COMMIT, ID, REPOSITORY, review, reviewStands } from '../black-box/review-stand';

describe('the review commands', () => {
  const setUp = reviewStands();

  const AT = `/v1/reviews/${ID}`;
  const RECORD = ['review', 'record-build', ID, '--commit-id', COMMIT];
  const QUEUE = ['--target-branch', 'main', '--repository', REPOSITORY];

  it('report-merged --gate names the newest GATE build that succeeded', async () => {
    const { platform, plat } = await setUp();
    const report = ['review', 'report-merged', ID, '--remote-url', REPOSITORY, '--gate'];
    platform.answer(`GET ${AT}/builds`, { body: [{ buildId: ID, kind: 'GATE', successful: false }] });
    expect((await plat(...report)).json()).toMatchObject({ code: 'NO_GATE_BUILD' });
    const green = { kind: 'GATE', successful: true };
    const builds = [
      { buildId: ID, kind: 'RECORDED', successful: true },
      { buildId: BUILD_ID, ...green },
    ];
    platform.answer(`GET ${AT}/builds`, { body: [...builds, { buildId: ID, ...green }] });
    platform.answer(`PATCH ${AT}/status`, {
      body: review({ status: 'MERGED', lastMergedBuildId: BUILD_ID }),
    });
    expect((await plat(...report)).code).toBe(0);
    const body = { status: 'MERGED', remoteUrl: REPOSITORY, buildId: BUILD_ID };
    expect(platform.to(`PATCH ${AT}/status`)).toEqual([expect.objectContaining({ body })]);
  });

  describe('make the call that the contract names', () => {
    it.each<[string, string[], string, Record<string, unknown>]>([
      [
        'create',
        ['review', 'create', '--name=N', '--source-branch=s', ...QUEUE],
        'POST /v1/reviews',
        { name: 'N', sourceBranch: 's', targetBranch: 'main', repository: REPOSITORY },
      ],
      ['close', ['review', 'close', ID], `PATCH ${AT}/status`, { status: 'CLOSED' }],
      [
        'record-build',
        [...RECORD, '--version', '1.2.3'],
        `POST ${AT}/builds`,
        { kind: 'RECORDED', successful: true, commitId: COMMIT, version: '1.2.3' },
      ],
      [
        'record-build --failed',
        [...RECORD, '--version', '1.2.3', '--failed', '--failure-detail', 'no'],
        `POST ${AT}/builds`,
        { kind: 'RECORDED', successful: false, commitId: COMMIT, version: '1.2.3', failureDetail: 'no' },
      ],
      [
        'record-build --gate --vouch',
        [...RECORD, '--gate', '--vouch'],
        `POST ${AT}/builds`,
        { kind: 'GATE', successful: true, commitId: COMMIT, vouched: true },
      ],
      [
        'record-build --gate --failed',
        [...RECORD, '--gate', '--failed', '--failure-detail', '3 tests failed'],
        `POST ${AT}/builds`,
        { kind: 'GATE', successful: false, commitId: COMMIT, failureDetail: '3 tests failed' },
      ],
      [
        'report-merged of a gate',
        ['review', 'report-merged', ID, '--remote-url', REPOSITORY, '--build-id', BUILD_ID],
        `PATCH ${AT}/status`,
        { status: 'MERGED', remoteUrl: REPOSITORY, buildId: BUILD_ID },
      ],
      [
        'report-merged as reconciliation',
        ['review', 'report-merged', ID, '--remote-url', 'https://me:hunter2@git.example.com/acme/app'],
        `PATCH ${AT}/status`,
        { status: 'MERGED', remoteUrl: REPOSITORY },
      ],
      [
        'queue advance',
        ['review', 'queue', 'advance', ...QUEUE],
        'POST /v1/reviews/merge-queue/advance',
        { targetBranch: 'main', repository: REPOSITORY },
      ],
      [
        'queue advance --any-repository',
        ['review', 'queue', 'advance', '--target-branch=main', '--any-repository'],
        'POST /v1/reviews/merge-queue/advance',
        { targetBranch: 'main' },
      ],
      [
        'queue override-advance',
        ['review', 'queue', 'override-advance', ...QUEUE, '--reason', 'hotfix'],
        'POST /v1/reviews/merge-queue/override-advance',
        { targetBranch: 'main', repository: REPOSITORY, reason: 'hotfix' },
      ],
    ])(
      '%s, and print its answer; under --dry-run they only print the call',
      async (_what, args, route, body) => {
        const { platform, plat } = await setUp();
        const landed = 'buildId' in body ? { lastMergedBuildId: body.buildId } : {};
        const answer = { ...review({ status: 'MERGE' }), ...landed, ...body };
        platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
        platform.answer(`GET ${AT}`, { body: answer });
        platform.answer(route, { body: answer });
        const [method, path] = route.split(' ');
        expect((await plat(...args, '--dry-run')).json()).toEqual({
          dryRun: true,
          plan: [`platform: ${method} ${platform.url}${path}`],
        });
        expect(platform.to(route)).toEqual([]);
        const run = await plat(...args);
        expect(run).toMatchObject({ code: 0, stderr: '' });
        expect(run.json()).toMatchObject(answer);
        expect(platform.to(route)).toEqual([expect.objectContaining({ body })]);
      },
    );

    it.each([
      ['a success', ['--vouch'], true, 'FAILED\n3 tests failed\n'],
      ['a failure', ['--failed', '--failure-detail=it exited with 1'], false, 'all tests passed\n'],
    ])(
      'record-build --gate reads only the given exit status of the build: %s, for any output',
      async (_what, outcome, successful, printed) => {
        const { machine, platform } = await setUp();
        platform.answer(`GET ${AT}`, { body: review({ status: 'MERGE' }) });
        platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
        platform.answer(`POST ${AT}/builds`, { body: {} });
        const run = await machine.plat([...RECORD, '--gate', ...outcome], { input: printed });
        expect(run.code).toBe(0);
        const body = expect.objectContaining({ kind: 'GATE', successful }) as unknown;
        expect(platform.to(`POST ${AT}/builds`)).toEqual([expect.objectContaining({ body })]);
        expect(JSON.stringify(platform.requests)).not.toMatch(/3 tests|all tests/);
      },
    );

    it.each([
      ['list', ['review', 'list'], 'GET /v1/reviews', ''],
      [
        'list with filters',
        [
          'review',
          'list',
          '--repository=git@git.example.com:acme/app.git',
          '--target-branch=t',
          '--source-branch=s',
          '--status=READY',
          `--author=${ID}`,
          `--reviewer=${BUILD_ID}`,
        ],
        'GET /v1/reviews',
        `?repository=${encodeURIComponent(REPOSITORY)}&targetBranch=t&sourceBranch=s&status=READY&authorUserId=${ID}&reviewerUserId=${BUILD_ID}`,
      ],
      [
        'queue list',
        ['review', 'queue', 'list', '--repository=git@git.example.com:acme/app.git', '--target-branch=t'],
        'GET /v1/reviews/merge-queue',
        `?repository=${encodeURIComponent(REPOSITORY)}&targetBranch=t`,
      ],
      ['show', ['review', 'show', ID], `GET ${AT}`, ''],
    ])('%s, and print its answer', async (_what, args, route, query) => {
      const { platform, plat } = await setUp();
      const answer = _what === 'show' ? review() : [review()];
      platform.answer(route, { body: answer });
      expect((await plat(...args)).json()).toEqual(answer);
      const seen = new URL(platform.to(route)[0]!.url, platform.url);
      expect([...seen.searchParams]).toEqual([...new URLSearchParams(query)]);
    });
  });

  describe('show, of a review that is MERGED', () => {
    const receipt = {
      statementVersion: 1,
      tenantId: ID,
      reviewId: ID,
      name: 'Add limits',
      remoteUrl: REPOSITORY,
      sourceBranch: 'feature/42-limits',
      targetBranch: 'main',
      route: 'queue',
      conditions: ['A1', 'A2'],
      targetTip: COMMIT,
      commitId: COMMIT,
      contentVerdict: 'DIVERGENT',
      contentReason: 'target_change_undone',
      findings: [{ kind: 'undone', path: 'app.ts', in: 'target', firstLine: 3, lastLine: 4 }],
      verifiedAt: '2026-01-02T03:04:05.000Z',
      jws: 'a.b.c',
    };

    it('shows whether the landed content is the reviewed one, and where it differs', async () => {
      const { machine, platform, plat } = await setUp();
      platform.answer(`GET ${AT}`, { body: review({ status: 'MERGED' }) });
      platform.answer(`GET ${AT}/merge-receipt`, { body: receipt });
      const { commitId, contentVerdict, contentReason, findings } = receipt;
      expect((await plat('review', 'show', ID)).json()).toMatchObject({
        status: 'MERGED',
        landing: { commitId, contentVerdict, contentReason, findings },
      });
      const shown = await machine.plat(['review', 'show', ID]);
      expect(shown.stdout).toContain(
        `Landed content of ${COMMIT}: DIVERGENT (target_change_undone)\n  undone app.ts:3-4, lines of the target before it`,
      );
    });

    it('shows the review alone if there is no receipt', async () => {
      const { platform, plat } = await setUp();
      const merged = review({ status: 'MERGED' });
      platform.answer(`GET ${AT}`, { body: merged });
      platform.answer(`GET ${AT}/merge-receipt`, {
        status: 501,
        body: { code: 'NOT_IMPLEMENTED', message: 'x' },
      });
      const shown = await plat('review', 'show', ID);
      expect([shown.code, shown.json()]).toEqual([0, merged]);
    });
  });

  it.each([
    [
      'report-merged',
      ['report-merged', ID, '--remote-url', REPOSITORY, '--build-id', BUILD_ID],
      'MERGED',
      {},
    ],
    ['close', ['close', ID], 'CLOSED', {}],
    ['requeue', ['requeue', ID], 'READY', {}],
    ['queue advance', ['queue', 'advance', ...QUEUE], 'MERGE', {}],
    ['queue override-advance', ['queue', 'override-advance', ...QUEUE, '--reason=x'], 'MERGE', {}],
    ['record-build', [...RECORD.slice(1), '--version=1.0.0'], true, { successful: false }],
    ['record-build', [...RECORD.slice(1), '--version=1.0.0'], COMMIT, { commitId: 'b'.repeat(40) }],
    ['resolve', ['resolve', ID, BUILD_ID], 'CLOSED', { status: 'OPEN' }],
    ['create', ['create', '--name=N', '--source-branch=s', ...QUEUE], 's', { sourceBranch: 't' }],
  ])('%s fails if the answer of a success contradicts it', async (_what, args, expected, otherwise) => {
    const { platform, plat } = await setUp();
    platform.answer(`GET ${AT}`, { body: review({ status: 'MERGE' }) });
    const answer = { body: { reviewId: ID, repository: REPOSITORY, targetBranch: 'main', ...otherwise } };
    platform.answer(`PATCH ${AT}/status`, { body: review({ status: 'FAILED' }) });
    for (const way of ['advance', 'override-advance']) {
      platform.answer(`POST /v1/reviews/merge-queue/${way}`, { body: review({ status: 'FAILED' }) });
    }
    const written = [`POST ${AT}/builds`, 'POST /v1/reviews', `PATCH ${AT}/comments/${BUILD_ID}/status`];
    for (const route of written) platform.answer(route, answer);
    const run = await plat('review', ...args);
    const [found = 'FAILED'] = Object.values(otherwise);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'ANSWER_CONTRADICTS',
      details: { expected, found, next: `plat review show ${ID}; then repeat the command` },
    });
  });

  it.each([
    ['another build', { lastMergedBuildId: ID }, 'lastMergedBuildId'],
    ['no build', { lastMergedBuildId: undefined }, 'lastMergedBuildId'],
    ['another repository', { repository: 'https://git.example.com/acme/other' }, 'repository'],
  ])('report-merged fails if the answer names %s as landed', async (_what, otherwise, field) => {
    const { platform, plat } = await setUp();
    const landed = { lastMergedBuildId: BUILD_ID, repository: REPOSITORY, ...otherwise };
    platform.answer(`PATCH ${AT}/status`, { body: review({ status: 'MERGED', ...landed }) });
    const args = ['report-merged', ID, '--remote-url', REPOSITORY, '--build-id', BUILD_ID];
    const run = await plat('review', ...args);
    expect(run.json()).toMatchObject({ code: 'ANSWER_CONTRADICTS', details: { field } });
  });

  describe('requeue', () => {
    it('fetches the review first, then puts it back without a buildId', async () => {
      const { platform, plat } = await setUp();
      platform.answer(`GET ${AT}`, { body: review({ status: 'MERGE' }) });
      platform.answer(`PATCH ${AT}/status`, { body: review() });
      expect((await plat('review', 'requeue', ID, '--dry-run')).json()).toMatchObject({ dryRun: true });
      expect(platform.to(`PATCH ${AT}/status`)).toEqual([]);
      expect((await plat('review', 'requeue', ID)).json()).toEqual(review());
      expect(platform.to(`PATCH ${AT}/status`)).toEqual([
        expect.objectContaining({ body: { status: 'READY' } }),
      ]);
    });

    it('refuses a review that is not at MERGE, with its actual status, before the write', async () => {
      const { platform, plat } = await setUp();
      platform.answer(`GET ${AT}`, { body: review({ status: 'FAILED' }) });
      for (const more of [[], ['--dry-run']]) {
        const run = await plat('review', 'requeue', ID, ...more);
        expect(run.code).toBe(1);
        expect(run.json()).toMatchObject({ code: 'REVIEW_NOT_MERGING', details: { status: 'FAILED' } });
        expect(run.json<{ details: { next: string } }>().details.next).toContain(
          `plat review record-build ${ID}`,
        );
      }
      expect(platform.to(`PATCH ${AT}/status`)).toEqual([]);
    });
  });

  it.each([
    ['an invalid id', ['review', 'show', '../merge-queue'], 'INVALID_ID'],
    [
      'a short commit id',
      ['review', 'record-build', ID, '--version=1.0.0', '--commit-id=abc'],
      'INVALID_COMMIT_ID',
    ],
    ['a recorded build without a version', RECORD, 'VERSION_REQUIRED'],
    ['a vouch for a recorded build', [...RECORD, '--version=1.0.0', '--vouch'], 'VOUCH_NOT_ALLOWED'],
    [
      'a vouch for a failed gate build',
      [...RECORD, '--gate', '--failed', '--failure-detail=x', '--vouch'],
      'VOUCH_NOT_ALLOWED',
    ],
    ['a gate build with a version', [...RECORD, '--gate', '--version=1.0.0'], 'VERSION_NOT_ALLOWED'],
    ['a failed gate build without a reason', [...RECORD, '--gate', '--failed'], 'FAILURE_DETAIL_REQUIRED'],
    [
      'a failed gate build with a blank reason',
      [...RECORD, '--gate', '--failed', '--failure-detail= '],
      'FAILURE_DETAIL_REQUIRED',
    ],
    [
      'a reason for a build that succeeded',
      [...RECORD, '--gate', '--failure-detail=x'],
      'FAILURE_DETAIL_NOT_ALLOWED',
    ],
    [
      'a blank override reason',
      ['review', 'queue', 'override-advance', ...QUEUE, '--reason= '],
      'BLANK_REASON',
    ],
    ['a blank name', ['review', 'create', '--name= ', '--source-branch=s', ...QUEUE], 'BLANK_NAME'],
    [
      'a branch that starts with a hyphen',
      ['review', 'create', '--name=N', '--source-branch=-s', ...QUEUE],
      'INVALID_BRANCH',
    ],
    [
      'a remote that names no repository',
      ['review', 'report-merged', ID, '--remote-url=o/r'],
      'INVALID_REPOSITORY',
    ],
    ['an unknown status', ['review', 'list', '--status=DONE'], 'USAGE'],
    ['a missing flag', ['exec', 'gate-merge'], 'USAGE'],
    ['a missing argument', ['gate', 'show'], 'USAGE'],
    ['a missing comment', ['review', 'resolve'], 'MISSING_ARGUMENT'],
    ['a missing user', ['review', 'reviewers', 'add'], 'MISSING_ARGUMENT'],
    ['a flag that is given twice', ['review', 'list', '--author=a', '--author=b'], 'USAGE'],
    ['an unknown flag', ['review', 'list', '--colour'], 'USAGE'],
    ['a path beyond the API', ['api', 'GET', 'https://elsewhere.example.com/v1'], 'INVALID_PATH'],
    ['a path that leads out of the API', ['api', 'GET', '/v1/%2e%2E/metrics'], 'INVALID_PATH'],
    ['one with a tab, which no address keeps', ['api', 'GET', '/v1/.\t./metrics'], 'INVALID_PATH'],
    ['one with a space at its end, which no address keeps', ['api', 'GET', '/v1/.. '], 'INVALID_PATH'],
    ['a body that is not JSON', ['api', 'POST', '/v1/reviews', '--body={'], 'INVALID_BODY'],
  ])('refuse %s before any call, with exit code 1', async (_what, args, code) => {
    const { platform, plat } = await setUp();
    const run = await plat(...args);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ code, exitCode: 1 });
    expect(platform.requests.filter(({ url }) => url !== '/v1/platform')).toEqual([]);
  });

  it('api calls any route as the signed-in person, and prints the body', async () => {
    const { machine, platform, plat } = await setUp();
    platform.answer('GET /v1/releases', { body: [{ status: 'queued' }] });
    platform.answer('DELETE /v1/x', { status: 204 });
    platform.answer('POST /v1/x', ({ body }) => ({ body }));
    expect((await plat('api', 'GET', '/v1/releases?status=queued')).json()).toMatchObject([
      { status: 'queued' },
    ]);
    expect(platform.to('GET /v1/releases')[0]?.url).toBe('/v1/releases?status=queued');
    expect((await plat('api', 'DELETE', 'v1/x')).json()).toBeNull();
    const args = ['api', 'POST', '/v1/x', '--body', '-', '--json'];
    expect((await machine.plat(args, { input: '{"a":1}' })).json()).toEqual({ a: 1 });
  });
});

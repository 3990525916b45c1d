import { checkLandings, landingStands } from '../black-box/checked-landings';

describe('plat ledger check', () => {
  const setUp = landingStands();

  it('fetches the reviewed commit of a rebase whose branch is gone', async () => {
    const stand = await setUp();
    const { checkout } = stand;
    await checkout.git('switch', '--quiet', '--create', 'long');
    for (const part of ['one', 'two']) await checkout.commit({ [part]: part }, `Part ${part}`);
    await checkout.git('push', '--quiet', 'origin', 'long');
    const sourceTip = await checkout.git('rev-parse', 'long');
    await checkout.git('switch', '--quiet', 'main');
    await checkout.commit({ other: 'other' }, 'Begun');
    await stand.seal({ name: 'Begun' });
    await checkout.git('cherry-pick', 'main..long');
    await stand.push();
    await stand.seal({ name: 'Long', sourceTip });
    await checkout.git('push', '--quiet', 'origin', ':long');
    await checkout.git('branch', '--quiet', '-D', 'long');
    await checkout.git('reflog', 'expire', '--expire=now', '--all');
    await checkout.git('gc', '--quiet', '--prune=now');
    const { verdicts, check } = await checkLandings(stand);
    expect(verdicts).toEqual(['LANDED Long', 'LANDED Begun']);
    expect(check.rows[0]!.commits).toHaveLength(2);
  });

  it('names a landing without receipt by its review, gate run or build, and a commit without any of them', async () => {
    const stand = await setUp();
    const { checkout, signedIn } = stand;
    await stand.squash('First');
    await stand.squash('Reviewed', { sealed: false });
    const gated = await stand.squash('Gated', { sealed: false });
    const built = await stand.squash('Built', { sealed: false });
    await checkout.commit({ bypass: 'bypass' }, 'Bypass \u001b[31m red');
    await stand.push();
    const { platform } = signedIn;
    platform.answer('GET /v1/reviews', {
      body: [{ name: 'Reviewed', status: 'MERGED', targetBranch: 'main' }],
    });
    platform.answer('GET /v1/gate-runs', { body: { gateRuns: [{ mergeCommit: gated, verdict: 'PASSED' }] } });
    platform.answer('GET /v1/builds', {
      body: { builds: [{ commitId: built, kind: 'GATE', successful: true }] },
    });
    const { code, check, verdicts, stderr } = await checkLandings(stand);
    expect(verdicts).toEqual([
      'BYPASS Bypass  [31m red',
      'NO_RECEIPT Built',
      'NO_RECEIPT Gated',
      'NO_RECEIPT Reviewed',
      'LANDED First',
    ]);
    expect(check.counts).toMatchObject({ LANDED: 1, NO_RECEIPT: 3, BYPASS: 1, NO_LANDING: 0 });
    expect(platform.to('GET /v1/gate-runs')[0]?.url).toContain('status=PASSED');
    expect(platform.to('GET /v1/builds')[0]?.url).toContain('successful=true');
    expect(stderr).toContain('1 older commit');
    expect(code).toBe(1);
  });

  it.each([
    ['GET /v1/gate-runs', 'gateRuns'],
    ['GET /v1/builds', 'builds'],
  ])('ends with an error if the pages of %s lead in a circle', async (route, field) => {
    const stand = await setUp();
    await stand.squash('Unknown', { sealed: false });
    await stand.push();
    const { platform } = stand.signedIn;
    const next: Record<string, string> = { a: 'b', b: 'a' };
    const cursorOf = (url: string) => new URL(url, platform.url).searchParams.get('cursor') ?? 'b';
    platform.answer('GET /v1/reviews', { body: [] });
    platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
    platform.answer('GET /v1/builds', { body: { builds: [] } });
    const time = new Date().toISOString();
    const other = { commitId: 'f'.repeat(40), mergeCommit: 'f'.repeat(40), createdAt: time, startedAt: time };
    platform.answer(route, ({ url }) => ({ body: { [field]: [other], nextCursor: next[cursorOf(url)] } }));
    expect((await checkLandings(stand)).check).toMatchObject({ code: 'NOT_THE_PLATFORM' });
    expect(platform.to(route)).toHaveLength(3);
  });

  it('finds receipts without landing after the target was rewritten, and what is there instead', async () => {
    const stand = await setUp();
    const { checkout } = stand;
    await stand.squash('First');
    await stand.squash('Second');
    await checkout.git('reset', '--quiet', '--hard', 'main~2');
    await checkout.commit({ 'First.txt': 'other\n' }, 'First');
    await checkout.commit({ instead: 'instead\n' }, 'Instead');
    await stand.push('--force');
    const { code, verdicts, check } = await checkLandings(stand);
    expect(verdicts).toEqual(['NO_LANDING First', 'NO_LANDING Second', 'BYPASS Instead', 'NO_RECEIPT First']);
    expect(check.commitsBefore).toBe(1);
    expect(code).toBe(1);
  });
});

import { checkLandings, landingStands } from '../black-box/checked-landings';

describe('plat ledger check', () => {
  const setUp = landingStands();

  it('finds a receipt for each landing, by squash or merge commit, and leaves what is older uncounted', async () => {
    const stand = await setUp();
    const { checkout, log } = stand;
    const first = await stand.squash('First');
    await checkout.branch('merged', { 'merged.txt': 'merged\n' });
    await checkout.git('merge', '--quiet', '--no-ff', '-m', 'Second', 'merged');
    await stand.push();
    await stand.seal({
      name: 'Second',
      route: 'reconciled',
      sourceTip: await checkout.git('rev-parse', 'merged'),
    });
    log.addLanding({ name: 'Of another repository' });
    await stand.seal({ name: 'On another branch', targetBranch: 'release' });
    const { code, check, verdicts } = await checkLandings(stand);
    expect(verdicts).toEqual(['LANDED Second', 'LANDED First']);
    expect(check).toMatchObject({
      sound: true,
      commitsBefore: 1,
      log: { origin: log.origin, size: log.size },
    });
    expect(check.rows[1]).toMatchObject({ commits: [first], contentVerdict: 'EXACT', index: 1 });
    expect(code).toBe(0);
  });

  it('puts the commits of a rebase into one row, and none that was pushed below it', async () => {
    const stand = await setUp();
    const { checkout } = stand;
    await stand.squash('First');
    await checkout.git('switch', '--quiet', '--create', 'long');
    for (const part of ['one', 'two', 'three']) await checkout.commit({ [part]: part }, `Part ${part}`);
    await checkout.git('push', '--quiet', 'origin', 'long');
    await checkout.git('switch', '--quiet', 'main');
    const bypass = await checkout.commit({ bypass: 'bypass' }, 'Hotfix');
    await checkout.git('cherry-pick', 'main..long');
    await stand.push();
    await stand.seal({ name: 'Long', sourceTip: await checkout.git('rev-parse', 'long') });
    const { code, check, verdicts } = await checkLandings(stand);
    expect(verdicts).toEqual(['LANDED Long', 'BYPASS Hotfix', 'LANDED First']);
    expect(check.rows.map(({ commits }) => commits.length)).toEqual([3, 1, 1]);
    expect(check.rows[1]!.commits).toEqual([bypass]);
    expect(code).toBe(1);
  });

  it.each<[string, string, string]>([
    ['white space', 'if a:\n    b()\nc()\n', 'if a:\n    b()\n    c()\n'],
    ['white space behind a NUL', behindNul('c()'), behindNul('    c()')],
  ])(
    'takes no commit into a rebase that differs from the reviewed one in %s',
    async (_in, reviewed, landed) => {
      const stand = await setUp();
      const { checkout } = stand;
      await stand.squash('First');
      await checkout.git('switch', '--quiet', '--create', 'long');
      await checkout.commit({ 'part.py': reviewed }, 'Part one');
      const sourceTip = await checkout.commit({ two: 'two' }, 'Part two');
      await checkout.git('push', '--quiet', 'origin', 'long');
      await checkout.git('switch', '--quiet', 'main');
      const bypass = await checkout.commit({ 'part.py': landed }, 'Part one');
      await checkout.git('cherry-pick', 'long');
      await stand.push();
      await stand.seal({ name: 'Long', sourceTip });
      const { code, check, verdicts } = await checkLandings(stand);
      expect(verdicts).toEqual(['LANDED Long', 'BYPASS Part one', 'LANDED First']);
      expect(check.rows[1]!.commits).toEqual([bypass]);
      expect(code).toBe(1);
    },
  );

  it('names each DIVERGENT landing, also one that was judged later', async () => {
    const stand = await setUp();
    await stand.squash('First', { contentVerdict: 'DIVERGENT', contentReason: 'target_change_undone' });
    await stand.squash('Second', { contentVerdict: 'UNKNOWN', contentReason: 'remote_too_large' });
    const { reviewId } = JSON.parse(stand.log.entries.at(-1)!.shown!.fields) as { reviewId: string };
    await stand.seal({
      name: 'Second',
      reviewId,
      contentVerdict: 'DIVERGENT',
      contentReason: 'source_change_missing',
    });
    const { code, check, verdicts } = await checkLandings(stand);
    expect(verdicts).toEqual(['DIVERGENT Second', 'DIVERGENT First']);
    expect(check.rows[0]).toMatchObject({ contentReason: 'source_change_missing' });
    expect(code).toBe(1);
  });

  it('begins after a commit, or at a time, but with no commit that only claims to be older', async () => {
    const stand = await setUp();
    const { checkout } = stand;
    await checkout.commit({ hotfix: 'hotfix' }, 'Old hotfix');
    await stand.push();
    const first = await stand.squash('First');
    await stand.squash('Second');
    expect((await checkLandings(stand, '--since', `${first}~0`.slice(0, 10))).verdicts).toEqual([
      'LANDED Second',
    ]);
    expect((await checkLandings(stand, '--since', '1h')).verdicts).toEqual([
      'LANDED Second',
      'LANDED First',
      'BYPASS Old hotfix',
      'BYPASS Begin',
    ]);
    expect((await checkLandings(stand, '--since', 'HEAD~1')).verdicts).toEqual(['LANDED Second']);
    await checkout.git('tag', 'v1', first);
    expect((await checkLandings(stand, '--since', 'v1')).verdicts).toEqual(['LANDED Second']);
    for (const text of ['yesterday', '--output=x']) {
      expect((await checkLandings(stand, `--since=${text}`)).check).toMatchObject({
        code: 'INVALID_TIME',
        message: expect.stringContaining('neither a time, nor how long ago, nor a commit of this clone'),
      });
    }
    await checkout.git('switch', '--quiet', '--create', 'elsewhere', first);
    await checkout.commit({ other: 'other' }, 'Other');
    expect((await checkLandings(stand, '--since', 'elsewhere')).check).toMatchObject({
      code: 'NOT_IN_HISTORY',
    });
    expect((await checkLandings(stand, '--since', 'abcdef1')).check).toMatchObject({
      code: 'NOT_IN_HISTORY',
    });
  });

  it('refuses what was typed wrong before it reads a log or a history', async () => {
    const stand = await setUp();
    const before = stand.signedIn.platform.requests.length;
    const refusal = async (...args: string[]) => (await checkLandings(stand, ...args)).check;
    expect(await refusal('--since', 'yesterday')).toMatchObject({ code: 'INVALID_TIME' });
    expect(await refusal('--key', 'log.kee')).toMatchObject({ code: 'KEY_NOT_READABLE' });
    expect(await refusal('--remote', 'up')).toMatchObject({ code: 'NO_REPOSITORY' });
    expect(await refusal('--target-branch', '-x')).toMatchObject({ code: 'INVALID_BRANCH' });
    const exported = ['--export', 'nix', '--key', stand.log.verifierKey(), '--target-branch', 'nope'];
    expect(await refusal(...exported)).toMatchObject({ code: 'NO_SUCH_FOLDER' });
    expect(stand.signedIn.platform.requests).toHaveLength(before);
  });

  it('says that nothing was judged if nothing was there since, which is no fault', async () => {
    const stand = await setUp();
    await stand.squash('First');
    const { code, check, stderr } = await checkLandings(stand, '--since', '2999-01-01T00:00:00Z');
    expect({ code, ...check }).toMatchObject({
      ...{ code: 0, rows: [], commitsBefore: 2, landingsBefore: 1, since: '2999-01-01T00:00:00Z' },
    });
    expect(stderr).toContain(
      'Nothing was judged: main has no commit and the log no landing since 2999-01-01T00:00:00Z.',
    );
    const text = ['ledger', 'check', '--since', '2999-01-01T00:00:00Z'];
    const shown = await stand.signedIn.machine.plat(text, { cwd: stand.checkout.folder });
    expect(shown).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('Nothing was judged'),
    });
  });

  it('fails if the log has nothing of this branch, since that is no success', async () => {
    const stand = await setUp();
    stand.log.addLanding({ name: 'Of another repository' });
    const { code, check } = await checkLandings(stand);
    expect(check).toMatchObject({
      code: 'NOTHING_SEALED',
      message: expect.stringMatching(/ has no landing on main of file:.*; it has 1 elsewhere\.$/),
    });
    expect(code).toBe(1);
  });

  it('refuses a log with an altered landing, a withheld one, or one that contradicts what was seen', async () => {
    const stand = await setUp();
    await stand.squash('First', { contentVerdict: 'DIVERGENT', contentReason: 'target_change_undone' });
    const entry = stand.log.entries[1]!;
    const { salt, fields } = entry.shown!;
    entry.shown = { salt, fields: fields.replace('DIVERGENT', 'EXACT') };
    expect((await checkLandings(stand)).check).toMatchObject({ code: 'LOG_ALTERED', details: { index: 1 } });
    delete entry.shown;
    expect((await checkLandings(stand)).check).toMatchObject({ code: 'LOG_ALTERED' });
    entry.shown = { salt, fields };
    expect((await checkLandings(stand)).verdicts).toEqual(['DIVERGENT First']);
    stand.log.entries.pop();
    await stand.seal({ name: 'First' });
    const { code, check } = await checkLandings(stand);
    expect(check).toMatchObject({ code: 'LOG_CONTRADICTS' });
    expect(code).toBe(3);
  });

  it('shows words of a receipt that are unsafe for git as UNREADABLE, and runs nothing', async () => {
    const stand = await setUp();
    await stand.squash('First');
    await stand.seal({ name: 'Second', sourceTip: '--upload-pack=touch pwned' });
    const { code, verdicts, check } = await checkLandings(stand);
    expect(verdicts).toEqual(['UNREADABLE undefined', 'LANDED First']);
    expect(check.rows[0]?.detail).toContain('sourceTip');
    expect(code).toBe(1);
  });
});

/** A text, as git sees it: NUL bytes make a file binary only near its beginning. */
function behindNul(text: string): string {
  return `${'line\n'.repeat(2000)}x\0${text}\n`;
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeLogFiles } from '@plat/testing';
import { LandingStand } from '../black-box/landing-stand';
import { makeWaitingOlder } from '../black-box/older-waiting';
import { forkOf } from '../black-box/served-log';
import { shellQuote } from '../terminal/shell-quote';
import type { LedgerCheck } from './ledger-row';

describe('plat ledger check', () => {
  const stands: LandingStand[] = [];
  afterAll(() => Promise.all(stands.map(({ signedIn }) => signedIn.dispose())));

  async function setUp(): Promise<LandingStand> {
    const stand = await LandingStand.create();
    stands.push(stand);
    return stand;
  }

  async function checked(stand: LandingStand, ...args: string[]) {
    const run = await stand.check(...args);
    const check = run.json<LedgerCheck>();
    const verdicts = check.rows?.map(({ verdict, name, subject }) => `${verdict} ${name ?? subject}`);
    return { code: run.code, check, verdicts, stderr: run.stderr };
  }

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
    const { code, check, verdicts } = await checked(stand);
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
    const { code, check, verdicts } = await checked(stand);
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
      const { code, check, verdicts } = await checked(stand);
      expect(verdicts).toEqual(['LANDED Long', 'BYPASS Part one', 'LANDED First']);
      expect(check.rows[1]!.commits).toEqual([bypass]);
      expect(code).toBe(1);
    },
  );

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
    const { verdicts, check } = await checked(stand);
    expect(verdicts).toEqual(['LANDED Long', 'LANDED Begun']);
    expect(check.rows[0]!.commits).toHaveLength(2);
  });

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
    const { code, check, verdicts } = await checked(stand);
    expect(verdicts).toEqual(['DIVERGENT Second', 'DIVERGENT First']);
    expect(check.rows[0]).toMatchObject({ contentReason: 'source_change_missing' });
    expect(code).toBe(1);
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
    const { code, check, verdicts, stderr } = await checked(stand);
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
    platform.answer(route, ({ url }) => ({ body: { [field]: [], nextCursor: next[cursorOf(url)] } }));
    expect((await checked(stand)).check).toMatchObject({ code: 'NOT_THE_PLATFORM' });
    expect(platform.to(route)).toHaveLength(3);
  });

  describe('a landing whose receipt is not sealed yet', () => {
    const REVIEW = '0198f2a4-1234-7c3e-9d0b-5b1f0c9a2e11';
    /** A sealed landing, and then one whose receipt is only made. */
    async function withUnsealed(facts: { secondsAgo: number; contentVerdict?: string; commitId?: string }) {
      const stand = await setUp();
      await stand.squash('First');
      const commitId = await stand.squash('Second', { sealed: false });
      const { platform } = stand.signedIn;
      platform.answer('GET /v1/reviews', {
        body: [{ reviewId: REVIEW, name: 'Second', status: 'MERGED', targetBranch: 'main' }],
      });
      const verifiedAt = new Date(Date.now() - facts.secondsAgo * 1000).toISOString();
      const { contentVerdict = 'EXACT' } = facts;
      platform.answer(`GET /v1/reviews/${REVIEW}/merge-receipt`, {
        body: { reviewId: REVIEW, commitId, verifiedAt, contentVerdict, ...facts },
      });
      return stand;
    }

    it('is PENDING for two minutes, which is sound', async () => {
      const { code, check, verdicts } = await checked(await withUnsealed({ secondsAgo: 30 }));
      expect(verdicts).toEqual(['PENDING Second', 'LANDED First']);
      expect(check).toMatchObject({ sound: true, counts: { PENDING: 1, NO_RECEIPT: 0 } });
      expect(code).toBe(0);
    });

    it.each([
      ['after that', { secondsAgo: 130 }],
      ['of a later day', { secondsAgo: -86_400 }],
      ['if the receipt names another commit', { secondsAgo: 30, commitId: 'c'.repeat(40) }],
      ['if its content is DIVERGENT', { secondsAgo: 30, contentVerdict: 'DIVERGENT' }],
    ])('is NO_RECEIPT %s', async (_, facts) => {
      const { code, verdicts } = await checked(await withUnsealed(facts));
      expect(verdicts).toEqual(['NO_RECEIPT Second', 'LANDED First']);
      expect(code).toBe(1);
    });

    it('is NO_RECEIPT once this client saw it waiting long ago, however new the platform says that it is', async () => {
      const stand = await withUnsealed({ secondsAgo: 30 });
      expect((await checked(stand)).verdicts).toEqual(['PENDING Second', 'LANDED First']);
      expect((await checked(stand)).verdicts).toEqual(['PENDING Second', 'LANDED First']);
      await makeWaitingOlder(stand.signedIn.machine.configFolder, 5 * 60_000);
      const { code, check, verdicts } = await checked(stand);
      expect(verdicts).toEqual(['NO_RECEIPT Second', 'LANDED First']);
      expect(check.rows[0]!.detail).toContain('waited for its seal when this client looked 5 minutes ago');
      expect(code).toBe(1);
    });

    it('is NO_RECEIPT below a landing that is sealed, since entries are sealed in their order', async () => {
      const stand = await withUnsealed({ secondsAgo: 30 });
      await stand.squash('Third');
      const { code, verdicts } = await checked(stand);
      expect(verdicts).toEqual(['LANDED Third', 'NO_RECEIPT Second', 'LANDED First']);
      expect(code).toBe(1);
    });
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
    const { code, verdicts, check } = await checked(stand);
    expect(verdicts).toEqual(['NO_LANDING First', 'NO_LANDING Second', 'BYPASS Instead', 'NO_RECEIPT First']);
    expect(check.commitsBefore).toBe(1);
    expect(code).toBe(1);
  });

  it('begins after a commit, or at a time, but with no commit that only claims to be older', async () => {
    const stand = await setUp();
    const { checkout } = stand;
    await checkout.commit({ hotfix: 'hotfix' }, 'Old hotfix');
    await stand.push();
    const first = await stand.squash('First');
    await stand.squash('Second');
    expect((await checked(stand, '--since', `${first}~0`.slice(0, 10))).verdicts).toEqual(['LANDED Second']);
    expect((await checked(stand, '--since', '1h')).verdicts).toEqual([
      'LANDED Second',
      'LANDED First',
      'BYPASS Old hotfix',
      'BYPASS Begin',
    ]);
    expect((await checked(stand, '--since', 'HEAD~1')).verdicts).toEqual(['LANDED Second']);
    await checkout.git('tag', 'v1', first);
    expect((await checked(stand, '--since', 'v1')).verdicts).toEqual(['LANDED Second']);
    for (const text of ['yesterday', '--output=x']) {
      expect((await checked(stand, `--since=${text}`)).check).toMatchObject({
        code: 'INVALID_TIME',
        message: expect.stringContaining('neither a time, nor how long ago, nor a commit of this clone'),
      });
    }
    await checkout.git('switch', '--quiet', '--create', 'beside', first);
    await checkout.commit({ beside: 'beside' }, 'Beside');
    expect((await checked(stand, '--since', 'beside')).check).toMatchObject({ code: 'NOT_IN_HISTORY' });
    expect((await checked(stand, '--since', 'abcdef1')).check).toMatchObject({ code: 'NOT_IN_HISTORY' });
  });

  it('refuses what was typed wrong before it reads a log or a history', async () => {
    const stand = await setUp();
    const before = stand.signedIn.platform.requests.length;
    const refusal = async (...args: string[]) => (await checked(stand, ...args)).check;
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
    const { code, check, stderr } = await checked(stand, '--since', '2999-01-01T00:00:00Z');
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
    const { code, check } = await checked(stand);
    expect(check).toMatchObject({
      code: 'NOTHING_SEALED',
      message: expect.stringMatching(/ has no landing on main of file:.*; it has 1 elsewhere\.$/),
    });
    expect(code).toBe(1);
  });

  describe('before the first landing of the branch is sealed', () => {
    const REVIEW_ID = '01a0b2c3-d4e5-7f60-8a1b-2c3d4e5f6071';
    const NONE = { status: 404, body: { code: 'NOT_FOUND', message: 'Nothing is sealed yet.' } };

    /** A landing, a push past the queue before it if asked, and no receipt of them in the log. */
    async function withFirst({ secondsAgo }: { secondsAgo: number }): Promise<LandingStand> {
      const stand = await setUp();
      const commitId = await stand.squash('First', { sealed: false });
      const { platform } = stand.signedIn;
      platform.answer('GET /v1/reviews', {
        body: [{ reviewId: REVIEW_ID, name: 'First', status: 'MERGED', targetBranch: 'main' }],
      });
      const verifiedAt = new Date(Date.now() - secondsAgo * 1000).toISOString();
      platform.answer(`GET /v1/reviews/${REVIEW_ID}/merge-receipt`, {
        body: { reviewId: REVIEW_ID, commitId, verifiedAt, contentVerdict: 'EXACT' },
      });
      return stand;
    }
    function withoutLog({ log, signedIn: { platform } }: LandingStand): void {
      platform.answer('GET /v1/audit-log/keys', NONE);
      platform.answer('GET /v1/audit-log/checkpoint', NONE);
      platform.answer('GET /v1/whoami', { body: { tenantId: log.tenantId } });
    }

    it('is PENDING for two minutes, whether the log has other entries or none at all', async () => {
      const stand = await withFirst({ secondsAgo: 30 });
      stand.log.addLanding({ name: 'Of another repository' });
      const expected = { code: 0, verdicts: ['PENDING First'] };
      expect(await checked(stand)).toMatchObject({ ...expected, check: { sound: true, commitsBefore: 1 } });
      const fresh = await withFirst({ secondsAgo: 30 });
      withoutLog(fresh);
      const { stderr, ...found } = await checked(fresh);
      expect(found).toMatchObject({ ...expected, check: { sound: true, log: { size: 0 } } });
      expect(stderr).toContain('with a log of which no entry is sealed yet: 1 PENDING.');
    });

    it('does not excuse a push past the queue that came after it', async () => {
      const stand = await withFirst({ secondsAgo: 30 });
      withoutLog(stand);
      await stand.checkout.commit({ 'hotfix.txt': 'hotfix\n' }, 'Hotfix');
      await stand.push();
      const { code, verdicts } = await checked(stand);
      expect(verdicts).toEqual(['BYPASS Hotfix', 'PENDING First']);
      expect(code).toBe(1);
    });

    it('is nothing to compare with after that', async () => {
      const stand = await withFirst({ secondsAgo: 130 });
      withoutLog(stand);
      const { code, check } = await checked(stand);
      expect(check).toMatchObject({ code: 'NOTHING_SEALED' });
      expect(code).toBe(1);
    });

    it('cannot come again: a platform that shows no log where one was remembered contradicts itself', async () => {
      const stand = await withFirst({ secondsAgo: 30 });
      stand.log.addLanding({ name: 'Of another repository' });
      await checked(stand);
      withoutLog(stand);
      const { code, check } = await checked(stand);
      expect(check).toMatchObject({ code: 'LOG_CONTRADICTS', details: { origin: stand.log.origin } });
      expect(code).toBe(3);
    });
  });

  it('refuses a log with an altered landing, a withheld one, or one that contradicts what was seen', async () => {
    const stand = await setUp();
    await stand.squash('First', { contentVerdict: 'DIVERGENT', contentReason: 'target_change_undone' });
    const entry = stand.log.entries[1]!;
    const { salt, fields } = entry.shown!;
    entry.shown = { salt, fields: fields.replace('DIVERGENT', 'EXACT') };
    expect((await checked(stand)).check).toMatchObject({ code: 'LOG_ALTERED', details: { index: 1 } });
    delete entry.shown;
    expect((await checked(stand)).check).toMatchObject({ code: 'LOG_ALTERED' });
    entry.shown = { salt, fields };
    expect((await checked(stand)).verdicts).toEqual(['DIVERGENT First']);
    stand.log.entries.pop();
    await stand.seal({ name: 'First' });
    const { code, check } = await checked(stand);
    expect(check).toMatchObject({ code: 'LOG_CONTRADICTS' });
    expect(code).toBe(3);
  });

  it('shows words of a receipt that are unsafe for git as UNREADABLE, and runs nothing', async () => {
    const stand = await setUp();
    await stand.squash('First');
    await stand.seal({ name: 'Second', sourceTip: '--upload-pack=touch pwned' });
    const { code, verdicts, check } = await checked(stand);
    expect(verdicts).toEqual(['UNREADABLE undefined', 'LANDED First']);
    expect(check.rows[0]?.detail).toContain('sourceTip');
    expect(code).toBe(1);
  });

  it('compares with an exported log, without a platform, after it has verified it', async () => {
    const stand = await setUp();
    const { checkout, log, signedIn } = stand;
    await stand.squash('First');
    await stand.squash('Second', { sealed: false });
    await stand.seal({ name: 'Second', commitId: await checkout.git('rev-parse', 'main~1') });
    log.addAudit(300);
    await checkout.commit({ bypass: 'bypass' }, 'Hotfix');
    await stand.push();
    const before = signedIn.platform.requests.length;
    const folder = join(signedIn.machine.home, 'export');
    await writeLogFiles(folder, log.files());
    const offline = ['--export', folder, '--key', log.verifierKey()];
    const { code, check, verdicts } = await checked(stand, ...offline);
    expect(verdicts).toEqual(['BYPASS Hotfix', 'NO_RECEIPT Second', 'LANDED First', 'LANDED Second']);
    expect(check.log.size).toBe(log.size);
    expect(code).toBe(1);
    expect(signedIn.platform.requests).toHaveLength(before);
    expect((await stand.check('--export', folder)).code).toBe(1);
    log.entries[1]!.shown!.fields = log.entries[1]!.shown!.fields.replace('EXACT', 'UNKNOWN');
    await writeLogFiles(folder, log.files());
    expect((await checked(stand, ...offline)).check).toMatchObject({
      code: 'LOG_ALTERED',
      details: { index: 1 },
    });
  });

  it('contacts no remote with an exported log, and says what the clone lacks', async () => {
    const stand = await setUp();
    const { checkout, log, signedIn } = stand;
    const contacted = join(signedIn.machine.home, 'contacted');
    const isContacted = () => rm(contacted).then(() => true);
    await stand.squash('First');
    const bypass = await checkout.commit({ bypass: 'bypass' }, 'Hotfix');
    await stand.squash('Rebased', { sourceTip: 'f'.repeat(40) });
    const tip = await checkout.git('rev-parse', 'main');
    const later = log.addLanding({ name: 'Later', remoteUrl: checkout.origin, commitId: 'e'.repeat(40) });
    const folder = join(signedIn.machine.home, 'export');
    await writeLogFiles(folder, log.files());
    const marked = `touch '${contacted}'; git-upload-pack`;
    await checkout.git('config', 'remote.origin.uploadpack', marked);
    const offline = ['--export', folder, '--key', log.verifierKey()];
    const { check, stderr } = await checked(stand, ...offline);
    await expect(isContacted()).rejects.toThrow('ENOENT');
    expect(check.tip).toBe(tip);
    expect(stderr).toContain(`Compared main at ${tip} with`);
    expect(check.rows.find(({ index }) => index === later)).toMatchObject({
      verdict: 'NO_LANDING',
      detail: expect.stringContaining(
        'is not in this clone, which may be older than the export: git fetch origin',
      ),
    });
    expect(check.rows.find(({ commitId }) => commitId === bypass)).toMatchObject({
      detail: expect.stringContaining('whose reviewed commit is not in this clone'),
    });
    await checked(stand);
    expect(await isContacted()).toBe(true);
  });

  it('names git fetch or the flag if the clone has no such branch to compare with an export', async () => {
    const stand = await setUp();
    const { checkout, log, signedIn } = stand;
    await stand.squash('First');
    const folder = join(signedIn.machine.home, 'export');
    await writeLogFiles(folder, log.files());
    const offline = ['--export', folder, '--key', log.verifierKey()];
    expect((await checked(stand, ...offline, '--target-branch', 'release')).check).toMatchObject({
      code: 'NO_SUCH_TARGET',
      details: { next: 'git fetch origin, then repeat the command' },
    });
    await checkout.git('remote', 'set-head', 'origin', '--delete');
    expect((await checked(stand, ...offline)).check).toMatchObject({ code: 'NO_TARGET_BRANCH' });
    expect((await checked(stand, ...offline, '--target-branch', 'main')).verdicts).toEqual(['LANDED First']);
  });

  it.each(['by the platform', 'by an export'])(
    'lists an erased receipt, also the only one, %s',
    async (by) => {
      const stand = await setUp();
      const { log, signedIn } = stand;
      const judged = async () => {
        const folder = join(signedIn.machine.home, `export ${log.size}`);
        await writeLogFiles(folder, log.files());
        return by === 'by an export'
          ? checked(stand, '--export', folder, '--key', log.verifierKey())
          : checked(stand);
      };
      await stand.squash('Gone');
      log.erase([1]);
      const only = await judged();
      expect(only).toMatchObject({ code: 1, verdicts: ['UNREADABLE undefined'] });
      expect(only.check.rows[0]).toMatchObject({ index: 1, detail: 'the receipt in entry 1 was erased' });
      await stand.squash('First');
      expect(await judged()).toMatchObject({ code: 1, verdicts: ['UNREADABLE undefined', 'LANDED First'] });
    },
  );

  it('refuses a sound export that is older than what this client has seen, or contradicts it', async () => {
    const stand = await setUp();
    const { log, signedIn } = stand;
    await stand.squash('First');
    log.addAudit(3);
    expect((await checked(stand)).code).toBe(0);
    const fork = forkOf(log, 2);
    fork.addAudit(9);
    const [folder, older] = ['export', 'older'].map((name) => join(signedIn.machine.home, name));
    await writeLogFiles(older!, log.files({ size: 2 }));
    const outdated = await checked(stand, '--export', older!, '--key', log.verifierKey());
    expect(outdated.check).toMatchObject({
      code: 'EXPORT_OUTDATED',
      details: { next: expect.stringContaining(`plat audit export ${shellQuote([older!])}`) },
    });
    await writeLogFiles(folder!, fork.files({ keys: [log.key] }));
    const { code, check } = await checked(stand, '--export', folder!, '--key', log.verifierKey());
    expect(check).toMatchObject({ code: 'LOG_CONTRADICTS' });
    expect(code).toBe(3);
  });
});

/** A text, as git sees it: NUL bytes make a file binary only near its beginning. */
function behindNul(text: string): string {
  return `${'line\n'.repeat(2000)}x\0${text}\n`;
}

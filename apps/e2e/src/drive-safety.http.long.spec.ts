import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileSync } from '@plat/testing';
import {
  DRIVE,
  drive,
  readFailure,
  readHead,
  readRemoteMain,
  readStatus,
  readVerdicts,
  startGate,
} from './drive-runs';
import { DriveStand, waitForExit } from './drive-stand';

jest.setTimeout(120_000);

describe('a drive pushes what it gated, and nothing else', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  it('a drive is refused while its worktree has a commit of a person that no other ref holds', async () => {
    const checkout = await stand.repository('kept');
    await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    await drive(checkout);
    // A person commits there between two drives. What is committed during a gate, the drive keeps.
    const identity = ['-c', 'user.name=P', '-c', 'user.email=p@x'];
    await checkout.git('-C', checkout.worktree, ...identity, 'commit', '-q', '--allow-empty', '-m', 'Mine');
    const mine = await readHead(checkout);
    await checkout.propose('feature/2-next', { 'next.txt': 'next\n' });
    const refused = readFailure(await drive(checkout));
    expect(refused).toMatchObject({ code: 'LOCAL_COMMITS', details: { commitId: mine, commits: [mine] } });
    expect(await readHead(checkout)).toBe(mine);
    // A change in the checkout is a person's, and no drive minds it.
    await writeFile(join(checkout.folder, 'README.md'), 'written since\n');
    expect(readFailure(await drive(checkout)).code).toBe('LOCAL_COMMITS');
    expect(await checkout.git('diff')).toContain('+written since');
  });

  it.each<[Record<string, string>]>([[{}], [{ PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'two' }]])(
    'two gate-merges at once in one checkout both succeed, each with its own merge: %j',
    async (env) => {
      const checkout = await stand.repository(`two-${Object.keys(env).length}`);
      for (const at of [1, 2]) await checkout.propose(`feature/${at}-part`, { [`part-${at}.txt`]: 'part\n' });
      const gate = (at: number) =>
        checkout.plat(
          ['exec', 'gate-merge', '--source', `feature/${at}-part`, '--target-branch', 'main'],
          env,
        );
      for (let round = 0; round < 5; round += 1) {
        const runs = await Promise.all([gate(1), gate(2)]);
        const merges = runs.map(
          ({ stdout }) => JSON.parse(stdout) as { mergeCommit: string; targetCommit: string },
        );
        for (const [at, { mergeCommit, targetCommit }] of merges.entries()) {
          expect(runs[at]?.code).toBe(0);
          const changed = await checkout.git('diff', '--name-only', targetCommit, mergeCommit);
          expect(changed).toBe(`part-${at + 1}.txt`);
        }
        expect(merges.map(({ mergeCommit }) => mergeCommit)).toContain(
          await checkout.git('rev-parse', 'HEAD'),
        );
      }
    },
  );

  it.each([
    ['gate-merge', ['exec', 'gate-merge', '--source', 'feature/1-good', '--target-branch', 'main']],
    ['push', ['exec', 'push', '--target-branch', 'main']],
    ['push of a hash', ['exec', 'push', '--target-branch', 'main', '--commit-id', 'HEAD']],
    ['drive', [...DRIVE, 'true']],
  ])('%s in the checkout of a drive is refused, outside an environment and in one', async (what, args) => {
    const checkout = await stand.repository(`claimed-by-drive-${what.replaceAll(' ', '-')}`);
    await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const { end } = await startGate(checkout);
    const [head, before] = [await readHead(checkout), await checkout.own()];
    const typed = args.map((arg) => (arg === 'HEAD' ? head : arg));
    const environments: Record<string, string>[] = [{}, { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'dev' }];
    for (const env of environments) {
      const run = await checkout.plat(typed, env);
      expect({ exit: run.code, ...readFailure(run) }).toMatchObject({ exit: 1, code: 'CLAIMED' });
      expect(readFailure(run).message).toContain('plat drive --target-branch main (process');
      expect(run.stdout).not.toMatch(/leaseId/);
    }
    expect([await readHead(checkout), await checkout.own()]).toEqual([head, before]);
    expect(JSON.parse((await end()).stdout)).toMatchObject({
      reviews: [{ outcome: 'MERGED', mergeCommit: head }],
    });
  });

  describe('two drives of one queue on two machines', () => {
    it('the second takes over with --take-over once the first is gone', async () => {
      const checkout = await stand.repository('gone-machine');
      const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
      const { child } = await startGate(checkout, 3);
      const gone = once(child, 'close');
      child.kill('SIGKILL');
      await gone;
      const second = await stand.anotherCheckout(checkout, 'taking-machine');
      expect(readFailure(await drive(second)).details.next).toContain(
        'plat drive --target-branch main --gate-command true --take-over',
      );
      const run = await drive(second, 'true', '--take-over');
      expect(JSON.parse(run.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'MERGED' }] });
      expect((await readVerdicts(checkout, reviewId)).sort()).toEqual(['INCONCLUSIVE', 'PASSED']);
      // The next drive of the first machine finds nothing left to do.
      const left = JSON.parse((await drive(checkout)).stdout) as { reviews: unknown[] };
      expect(left.reviews).toMatchObject([{ reviewId, outcome: 'MERGED_ELSEWHERE' }]);
      expect(await readRemoteMain(checkout)).toBe(
        await checkout.git('-C', checkout.worktree, 'rev-parse', 'refs/worktree/plat/gate/main'),
      );
    });

    it('the second reports a merge that the first has pushed, and does not gate it again', async () => {
      const checkout = await stand.repository('pushed-machine');
      const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
      const child = checkout.start([...DRIVE, 'true']);
      const hook = await checkout.hook('post-receive', 'read pid; kill -9 "$pid"');
      await hook.input(`${child.pid}\n`);
      await waitForExit(child);
      await hook.remove();
      const second = await stand.anotherCheckout(checkout, 'reporting-machine');
      const run = await drive(second, 'false');
      expect(JSON.parse(run.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'MERGED' }] });
      expect(run.code).toBe(0);
      expect(await readVerdicts(checkout, reviewId)).toEqual(['PASSED']);
    });
  });

  it('a repeated report of the landing that made the review MERGED is a success, for drive and report-merged', async () => {
    const checkout = await stand.repository('repeated');
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const child = checkout.start([...DRIVE, 'true']);
    stand.proxy.insteadOfAnswer(/^PATCH .*\/status$/, () => child.kill('SIGKILL'));
    await waitForExit(child);
    let asked = 0;
    // When the next drive reads the review, the service is still judging the report.
    stand.proxy.changeAnswers(/^GET .*\/reviews\/[0-9a-f-]{36}$/, (body) =>
      (asked += 1) === 1 ? { ...body, status: 'MERGE' } : body,
    );
    const run = await drive(checkout);
    stand.proxy.changeAnswers(/^never$/, (body) => body);
    const { reviews } = JSON.parse(run.stdout) as { reviews: { outcome: string; buildId: string }[] };
    expect({ code: run.code, reviews }).toMatchObject({
      code: 0,
      reviews: [{ reviewId, outcome: 'MERGED' }],
    });
    const report = (...more: string[]) =>
      checkout.plat(['review', 'report-merged', reviewId, '--remote-url', checkout.remote, ...more]);
    const again = await report('--build-id', reviews[0]?.buildId ?? '');
    expect(JSON.parse(again.stdout)).toMatchObject({ reviewId, status: 'MERGED' });
    expect(again.code).toBe(0);
    // A report of another landing than the reported one is refused.
    for (const other of [[], ['--build-id', reviewId]]) {
      expect(readFailure(await report(...other))).toMatchObject({ code: 'INVALID_TRANSITION' });
    }
  });

  describe('a drive that cannot go on', () => {
    it('names the repair of the target as the next step, and merges again after it', async () => {
      const checkout = await stand.repository('mended', 'test ! -e BROKEN');
      const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
      await checkout.commit({ VERSION: 'none\n' }, 'Break the build');
      await checkout.git('push', '--quiet', 'origin', 'main');
      const broken = readFailure(await checkout.plat(['drive', '--target-branch', 'main']));
      expect(broken.message).toContain('The target branch cannot be built either');
      expect(broken.details.next).toContain('mend the target branch on origin and repeat the command');
      expect(await readStatus(checkout, reviewId)).toBe('MERGE');
      const mender = await stand.anotherCheckout(checkout, 'mender');
      await mender.commit({ VERSION: '1.4.1\n' }, 'Mend the build');
      await mender.git('push', '--quiet', 'origin', 'main');
      const run = await checkout.plat(['drive', '--target-branch', 'main']);
      expect(run.stderr).toContain('main has moved since the merge was made: it is made again.');
      expect(JSON.parse(run.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'MERGED' }] });
    });

    it('shows as text what it did before it stopped', async () => {
      const checkout = await stand.repository('threads');
      await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
      const open = await checkout.propose('feature/2-open', { 'other.txt': 'other\n' });
      await checkout.json([
        'review',
        'comment',
        open,
        '--body',
        'Why?',
        '--file',
        'other.txt',
        '--line',
        '1',
      ]);
      const run = await waitForExit(checkout.startText([...DRIVE, 'true']));
      expect(run.code).toBe(1);
      expect(run.stdout).toMatch(/MERGED\s+feature\/1-good/);
      expect(run.stderr).toContain('plat review comments');
    });

    it('puts the review back with --give-up if the target was deleted', async () => {
      const checkout = await stand.repository('vanished');
      const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
      await drive(checkout, 'no-such-gate');
      await checkout.git('push', '--quiet', 'origin', 'main:refs/heads/other');
      execFileSync('git', ['update-ref', '-d', 'refs/heads/main'], { cwd: `${checkout.folder}.git` });
      const stopped = readFailure(await drive(checkout));
      expect(stopped).toMatchObject({ code: 'NO_SUCH_TARGET' });
      expect(stopped.details.next).toContain('plat drive --target-branch main --give-up');
      const given = await checkout.plat(['drive', '--target-branch', 'main', '--give-up']);
      expect(given.code).toBe(0);
      expect(JSON.parse(given.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'ABANDONED' }] });
      expect(await readStatus(checkout, reviewId)).toBe('READY');
      expect(await readVerdicts(checkout, reviewId)).toEqual(['INCONCLUSIVE']);
      expect(await checkout.git('status', '--porcelain')).toBe('');
      const none = readFailure(await checkout.plat(['drive', '--target-branch', 'main', '--give-up']));
      expect(none).toMatchObject({ code: 'NOTHING_TO_GIVE_UP' });
    });

    it('does not create the target again if it was deleted during the gate', async () => {
      const checkout = await stand.repository('deleted');
      await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
      const run = await drive(checkout, `git -C '${checkout.folder}.git' update-ref -d refs/heads/main`);
      expect(readFailure(run)).toMatchObject({ code: 'NO_SUCH_TARGET' });
      expect(await readRemoteMain(checkout)).toBe('');
    });

    it('reports a target that does not exist, even if the queue is empty', async () => {
      const checkout = await stand.repository('typo');
      const run = await checkout.plat(['drive', '--target', 'mian', '--gate-command', 'true']);
      expect({ exit: run.code, ...readFailure(run) }).toMatchObject({ exit: 1, code: 'NO_SUCH_TARGET' });
    });

    it('ends its loop if a review comes back unchanged, or on Ctrl-C during a call of the platform', async () => {
      const checkout = await stand.repository('loop');
      const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
      const held = await checkout.json<Record<string, unknown>>(['review', 'show', reviewId]);
      const red = { ...held, status: 'READY' };
      // A platform that answers every call and acts on none.
      stand.proxy.changeAnswers(/^GET .*\/reviews\/[0-9a-f-]{36}$/, () => red);
      const run = await drive(checkout);
      expect(readFailure(run)).toMatchObject({ code: 'NOTHING_CHANGES', details: { reviewId } });
      stand.proxy.changeAnswers(/^never$/, (body) => body);
      const child = checkout.start([...DRIVE, 'true']);
      const stopped = waitForExit(child);
      stand.proxy.insteadOfAnswer(/^GET .*\/reviews\/[0-9a-f-]{36}$/, () => child.kill('SIGINT'));
      expect(readFailure(await stopped)).toMatchObject({
        code: expect.stringMatching(/INTERRUPTED|PLATFORM_UNREACHABLE/) as unknown,
      });
    });
  });
});

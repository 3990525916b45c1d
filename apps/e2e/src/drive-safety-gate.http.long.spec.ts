import { execFileSync } from '@plat/testing';
import {
  drive,
  readFailure,
  readHead,
  readRemoteMain,
  readStatus,
  readVerdicts,
  startGate,
} from './drive-runs';
import { DriveStand } from './drive-stand';

jest.setTimeout(120_000);

const BY_SOMEBODY = 'git -c user.name=P -c user.email=p@x';

describe('a drive pushes what it gated, and nothing else', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  it.each([
    ['the gate command itself', `${BY_SOMEBODY} commit -q --allow-empty -m Mine`],
    ['a person, with files', `echo mine > mine.txt; git add mine.txt; ${BY_SOMEBODY} commit -q -m Mine`],
    [
      'a person, who also switches the branch',
      `git switch -q -c mine; ${BY_SOMEBODY} commit -q --allow-empty -m Mine`,
    ],
  ])('a commit made during the gate by %s fails its review, and is not pushed', async (what, gate) => {
    const checkout = await stand.repository(`moved-by-${what.replaceAll(/\W+/g, '-')}`);
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const nextId = await checkout.propose('feature/2-next', { 'next.txt': 'next\n' });
    const before = await readRemoteMain(checkout);
    const run = await drive(checkout, `test -e next.txt || { ${gate}; }`);
    const { reviews } = JSON.parse(run.stdout) as { reviews: Array<{ mergeCommit: string }> };
    expect(run.code).toBe(1);
    expect(reviews).toMatchObject([
      {
        reviewId,
        outcome: 'FAILED',
        detail: expect.stringMatching(/The checkout was on no branch at/) as unknown,
      },
      { reviewId: nextId, outcome: 'MERGED' },
    ]);
    expect(await readRemoteMain(checkout)).toBe(reviews[1]?.mergeCommit);
    expect(await checkout.git('rev-parse', `${reviews[1]?.mergeCommit}^`)).toBe(before);
    expect(await readStatus(checkout, reviewId)).toBe('FAILED');
    expect(await readVerdicts(checkout, reviewId)).toEqual(['INCONCLUSIVE']);
    // The commit is on a branch, or the printed command makes one of it.
    const [, keep] = /git (branch \S+ [0-9a-f]{40})/.exec(run.stderr) ?? [];
    if (keep) await checkout.git(...keep.split(' '));
    expect(await checkout.git('log', '--branches', '--format=%s')).toContain('Mine');
  });

  it('files that changed while the merge was gated fail its review: what was built is not the merge', async () => {
    const checkout = await stand.repository('changed');
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    await checkout.propose('feature/2-next', { 'next.txt': 'next\n' });
    const run = await drive(checkout, 'test -e next.txt || echo other > README.md');
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      reviews: [
        {
          outcome: 'FAILED',
          detail: expect.stringMatching(/^The gate passed, .*: README\.md\./) as unknown,
        },
        { outcome: 'MERGED' },
      ],
    });
    expect(await readVerdicts(checkout, reviewId)).toEqual(['INCONCLUSIVE']);
    const [, kept = ''] = /git stash apply ([0-9a-f]{40})/.exec(run.stderr) ?? [];
    expect(await checkout.git('show', `${kept}:README.md`)).toBe('other');
    // The review says why, and a green build of the branch puts it back.
    const [{ failingStep } = { failingStep: '' }] = (
      await checkout.json<{ gateRuns: Array<{ failingStep: string }> }>([
        'gate',
        'list',
        '--review',
        reviewId,
      ])
    ).gateRuns;
    expect(failingStep).toBe('gate: it passed and changed tracked files');
  });

  it('what a refused gate left where git ignores it does not decide on the next review', async () => {
    const checkout = await stand.repository('poisoned');
    const tested = 'test -x tools/check || { mkdir -p tools; cp check.sh tools/check; }; tools/check';
    const files = {
      '.gitignore': 'tools/\n',
      'check.sh': '#!/bin/sh\ntest ! -e broken\n',
      'test.sh': tested,
    };
    await checkout.commit(files, 'Tests');
    await checkout.git('push', '--quiet', 'origin', 'main');
    const poison = 'printf "#!/bin/sh\\nexit 0\\n" > tools/check; exit 1';
    await checkout.propose('feature/1-good', { 'good.txt': 'good\n' });
    await checkout.propose('feature/2-broken', { broken: 'x\n' });
    await checkout.propose('feature/3-poison', { 'test.sh': poison });
    await checkout.propose('feature/4-broken', { broken: 'x\n' });
    const run = await drive(checkout, 'sh ./test.sh');
    const { reviews } = JSON.parse(run.stdout) as { reviews: Array<{ outcome: string }> };
    expect(reviews.map(({ outcome }) => outcome)).toEqual(['MERGED', 'FAILED', 'FAILED', 'FAILED']);
  });

  it('a commit made after the gate stays in the worktree: only the gated commit is pushed, by its hash', async () => {
    const checkout = await stand.repository('after');
    await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    stand.proxy.changeAnswers(/^POST .*\/builds$/, (body) => {
      const identity = ['-c', 'user.name=P', '-c', 'user.email=p@x'];
      execFileSync('git', [...identity, 'commit', '-q', '--allow-empty', '-m', 'Mine'], {
        cwd: checkout.worktree,
      });
      return body;
    });
    const run = await drive(checkout);
    stand.proxy.changeAnswers(/^never$/, (body) => body);
    const { reviews } = JSON.parse(run.stdout) as { reviews: { outcome: string; mergeCommit: string }[] };
    expect(reviews).toMatchObject([{ outcome: 'MERGED' }]);
    expect(await readRemoteMain(checkout)).toBe(reviews[0]?.mergeCommit);
    expect(await checkout.git('log', '-1', '--format=%s', await readHead(checkout))).toBe('Mine');
  });

  describe('two drives of one queue on two machines', () => {
    it('gate a review once: the second reports who gates it and since when', async () => {
      const checkout = await stand.repository('first-machine');
      const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
      const { end } = await startGate(checkout);
      const second = await stand.anotherCheckout(checkout, 'second-machine');
      const refused = readFailure(await drive(second, 'false'));
      expect(refused).toMatchObject({
        code: 'GATED_ELSEWHERE',
        details: { reviewId, holder: expect.stringContaining(checkout.folder) as unknown },
      });
      expect(refused.message).toMatch(/is gated by .*first-machine \([0-9a-f]{16}\), since \d{4}-/);
      expect(JSON.parse((await end()).stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'MERGED' }] });
      expect(await readVerdicts(checkout, reviewId)).toEqual(['PASSED']);
      expect(JSON.parse((await drive(second)).stdout)).toMatchObject({ reviews: [] });
    });
  });
});

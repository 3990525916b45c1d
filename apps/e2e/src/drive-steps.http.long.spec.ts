import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

const DRIVE = ['drive', '--target-branch', 'main', '--gate-command'];
const GATE = 'echo checking; test ! -e FAIL';

describe('plat drive', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  const drive = (checkout: Checkout, gate = GATE, ...more: string[]) =>
    checkout.plat([...DRIVE, gate, ...more]);
  const review = (checkout: Checkout, id: string) =>
    checkout.json<{ status: string; lastFailedBuildId?: string }>(['review', 'show', id]);
  const gateBuilds = async (checkout: Checkout, id: string) =>
    (
      await checkout.json<{ kind: string; failureDetail?: string }[]>([
        'api',
        'GET',
        `/v1/reviews/${id}/builds`,
      ])
    ).filter(({ kind }) => kind === 'GATE');

  it('gates again when the target has moved, and pushes what was gated', async () => {
    const checkout = await stand.repository('moved');
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const elsewhere =
      'test -e ../moved.done || { touch ../moved.done; c=$(git commit-tree -p HEAD~1 -m Else HEAD~1^{tree}); git push -q origin $c:refs/heads/main; }';
    const run = await drive(checkout, elsewhere);
    expect(JSON.parse(run.stdout)).toMatchObject({ reviews: [{ outcome: 'MERGED' }] });
    expect(run.stderr).toContain('main has moved meanwhile: the merge is made and gated again.');
    expect(await gateBuilds(checkout, reviewId)).toHaveLength(2);
    await checkout.git('fetch', '--quiet', 'origin');
    const subjects = await checkout.git('log', '--format=%s', 'origin/main');
    expect(subjects).toBe('Review of feature/1-good\nElse\nBegin');
  });

  it('stops and says so where a step refuses, and blames no review for a gate that cannot run', async () => {
    const checkout = await stand.repository('refused');
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const typo = await drive(checkout, 'no-such-gate');
    expect(JSON.parse(typo.stdout)).toMatchObject({ code: 'GATE_NOT_RUNNABLE', exitCode: 1 });
    expect((await review(checkout, reviewId)).status).toBe('MERGE');
    expect(JSON.parse((await drive(checkout)).stdout)).toMatchObject({ reviews: [{ outcome: 'MERGED' }] });
  });

  it('reads only the exit status of the gate, whatever it prints', async () => {
    const checkout = await stand.repository('loud');
    await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    await checkout.propose('feature/2-red', { FAIL: 'x\n' });
    const gate = 'echo FAILED; echo error >&2; test ! -e FAIL';
    const quiet = 'echo all tests passed; test ! -e FAIL';
    expect(JSON.parse((await drive(checkout, gate, '--once')).stdout)).toMatchObject({
      reviews: [{ outcome: 'MERGED' }],
    });
    expect(JSON.parse((await drive(checkout, quiet)).stdout)).toMatchObject({
      reviews: [{ outcome: 'FAILED' }],
    });
  });
});

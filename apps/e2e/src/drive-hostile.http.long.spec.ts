import { readFile } from 'node:fs/promises';
import { execFileSync, type MadeFiles, makeBranch } from '@plat/testing';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(180_000);

/** Branches whose merge cannot be planned or checked out, while the target can, and what the drive says of each. */
const HOSTILE: Array<[string, MadeFiles, RegExp]> = [
  ['version-folder', { VERSION: undefined, 'VERSION/x': 'x\n' }, /The merge cannot be planned: /],
  ['version-self', { VERSION: { to: 'VERSION' } }, /VERSION/],
  ['version-nowhere', { VERSION: { to: 'nowhere' } }, /VERSION/],
  ['no-recipe', { 'build.sh': undefined, Dockerfile: { to: 'Dockerfile' } }, /Dockerfile/],
  ['dockerfile-folder', { 'build.sh': undefined, 'Dockerfile/x': 'x\n' }, /Dockerfile/],
  ['long-name', { ['n'.repeat(300)]: 'x\n' }, /too long/],
  ['long-path', { [`${'folder/'.repeat(713)}file`]: 'x\n' }, /too long/],
  ['forbidden', { 'git~1': 'x\n' }, /invalid path/],
  ['case', { 'readme.MD': 'x\n' }, /one name on this machine/],
  ['filter', { '.gitattributes': '*.bin filter=bad\n', 'x.bin': 'x\n' }, /filter/],
];

describe('a branch that no drive can gate', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  /** Proposes a branch that is made without a checkout. @returns the review's id */
  const propose = async (checkout: Checkout, branch: string, files: MadeFiles) =>
    checkout.report(branch, await makeBranch({ bare: `${checkout.folder}.git`, branch, files }));

  it('fails its review with the reason, and the next one lands in the same drive', async () => {
    const checkout = await stand.repository('hostile', 'true');
    await checkout.git('config', 'core.ignoreCase', 'true');
    await checkout.git('config', 'filter.bad.smudge', 'false');
    await checkout.git('config', 'filter.bad.required', 'true');
    const reviews: string[] = [];
    for (const [branch, files] of HOSTILE) reviews.push(await propose(checkout, branch, files));
    const good = await checkout.propose('feature/good', { 'good.txt': 'good\n' });
    const run = await checkout.plat(['drive', '--target-branch', 'main']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      reviews: [
        ...HOSTILE.map(([sourceBranch, , said], at) => ({
          reviewId: reviews[at],
          sourceBranch,
          outcome: 'FAILED',
          detail: expect.stringMatching(said) as unknown,
        })),
        { reviewId: good, outcome: 'MERGED' },
      ],
    });
    expect(run.code).toBe(1);
    expect(await checkout.git('status', '--porcelain')).toBe('');
  });

  it('does not hold the queue by what its gate leaves running, nor by a gate that does not end', async () => {
    const checkout = await stand.repository('holding');
    await checkout.propose('feature/1-good', { 'one.txt': 'one\n' });
    const hangs = await checkout.propose('feature/2-hangs', { hangs: 'x\n' });
    await checkout.propose('feature/3-good', { 'three.txt': 'three\n' });
    const left = `${checkout.folder}.left`;
    const gate = `test ! -e hangs || exec sleep 300; env -i setsid sleep 300 & echo $! >> '${left}'`;
    const drive = ['drive', '--target-branch', 'main', '--gate-command', gate, '--gate-timeout', '5s'];
    const { reviews } = JSON.parse((await checkout.plat(drive)).stdout) as { reviews: object[] };
    for (const pid of (await readFile(left, 'utf8')).trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    expect(reviews).toMatchObject([
      { outcome: 'MERGED' },
      { outcome: 'FAILED', detail: expect.stringContaining('did not end within 5s') as unknown },
      { outcome: 'MERGED' },
    ]);
    expect(await checkout.json(['gate', 'list', '--review', hangs])).toMatchObject({
      gateRuns: [{ verdict: 'INCONCLUSIVE', failingStep: 'gate: no end within 5s' }],
    });
  });

  it('does not hide a target that cannot be planned either: the drive names the target', async () => {
    const checkout = await stand.repository('hostile-target', 'true');
    const id = await propose(checkout, 'worse', { VERSION: { to: 'VERSION' }, 'a.txt': 'a\n' });
    execFileSync('git', ['update-ref', 'refs/heads/main', 'refs/heads/worse'], {
      cwd: `${checkout.folder}.git`,
    });
    const next = await propose(checkout, 'other', { 'b.txt': 'b\n' });
    const run = await checkout.plat(['drive', '--target-branch', 'main']);
    const stopped = JSON.parse(run.stdout) as { message: string; details: { next: string } };
    expect(stopped.message).toContain('The target branch cannot be built either');
    // The printed command, typed as it is, gets out of it.
    const [giveUp = ''] = /plat drive --target-branch main --give-up/.exec(stopped.details.next) ?? [];
    expect((await checkout.plat(giveUp.split(' ').slice(1))).code).toBe(0);
    expect(await checkout.json(['review', 'show', next])).toMatchObject({ status: 'READY' });
    expect(id).toBeDefined();
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, DriveStand, type PlatRun } from './drive-stand';

jest.setTimeout(120_000);

describe('plat submit', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  const refusal = ({ code, stdout }: PlatRun) => ({
    exit: code,
    ...(JSON.parse(stdout) as { code: string; message: string; details: Record<string, string> }),
  });
  const onBranch = async (checkout: Checkout, branch: string) => {
    await checkout.git('switch', '--quiet', '--create', branch, 'main');
    await checkout.commit({ 'limits.txt': `${branch}\n` }, `Work on ${branch}`);
  };
  const tip = async (checkout: Checkout, branch: string) =>
    (await checkout.git('ls-remote', 'origin', `refs/heads/${branch}`)).split('\t')[0];
  const reviews = (checkout: Checkout) => checkout.json<object[]>(['review', 'list', '--here']);

  it('takes no build with changes in the checkout, of another commit, or that failed since', async () => {
    const checkout = await stand.repository('unclean', 'test ! -e BROKEN');
    await onBranch(checkout, 'feature/1-limits');
    await writeFile(join(checkout.folder, 'limits.txt'), 'changed\n');
    await checkout.json(['build', '--no-report']);
    const submit = async () => refusal(await checkout.plat(['submit'])).code;
    expect(await submit()).toBe('BUILD_NEEDED');
    await checkout.git('checkout', '--quiet', '--', '.');
    await checkout.json(['build', '--no-report']);
    await checkout.commit({ 'more.txt': 'more\n' }, 'More');
    expect(await submit()).toBe('BUILD_NEEDED');
    await checkout.json(['build', '--no-report']);
    await writeFile(join(checkout.folder, '.git/info/exclude'), 'BROKEN\n');
    await writeFile(join(checkout.folder, 'BROKEN'), '');
    expect((await checkout.plat(['build', '--no-report'])).code).toBe(1);
    expect(await submit()).toBe('BUILD_NEEDED');
  });

  it('does nothing with --dry-run, and refuses a branch without commits of its own', async () => {
    const checkout = await stand.repository('nothing');
    await checkout.git('switch', '--quiet', '--create', 'feature/1-empty', 'main');
    for (const command of [['submit'], ['review', 'create']]) {
      expect(refusal(await checkout.plat(command))).toMatchObject({ exit: 1, code: 'NOTHING_TO_PROPOSE' });
    }
    await checkout.commit({ 'limits.txt': '1\n' }, 'Limits');
    const { plan } = await checkout.json<{ plan: string[] }>(['submit', '--version', '1.0.0', '--dry-run']);
    expect(plan).toEqual([
      expect.stringMatching(/^git push .* origin '.*:refs\/heads\/feature\/1-empty'$/),
      expect.stringContaining('POST'),
      expect.stringContaining('/builds'),
    ]);
    expect([await tip(checkout, 'feature/1-empty'), await reviews(checkout)]).toEqual(['', []]);
  });

  it('review create names the live review of the branch and the next step, and not another name', async () => {
    const checkout = await stand.repository('twice');
    await onBranch(checkout, 'feature/1-limits');
    const { reviewId } = await checkout.json<{ reviewId: string }>(['review', 'create']);
    const again = refusal(await checkout.plat(['review', 'create']));
    expect(again).toMatchObject({ exit: 1, code: 'CONFLICT', details: { reviewId, status: 'OPEN' } });
    expect(again.message).toContain('proposes feature/1-limits onto main already');
    expect(again.details.next).toContain(`plat status ${reviewId}`);
    expect(again.details.next).not.toContain('--name');
    await onBranch(checkout, 'feature/2-other');
    const taken = refusal(await checkout.plat(['submit', '--name', 'Work on feature/1-limits']));
    expect(taken.details.next).toContain('plat submit --name <text>');
  });
});

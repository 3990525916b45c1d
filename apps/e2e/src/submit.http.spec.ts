import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, DriveStand, type PlatRun } from './drive-stand';

jest.setTimeout(120_000);

interface Submitted {
  review: { reviewId: string; status: string; name: string };
  commitId: string;
  pushed: string;
  created: boolean;
  build?: { version: string };
}

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

  it('pushes, creates the review, and says that a build is needed; after plat build it queues the review', async () => {
    const checkout = await stand.repository('whole', 'true');
    await onBranch(checkout, 'feature/1-limits');
    const head = await checkout.git('rev-parse', 'HEAD');
    const first = refusal(await checkout.plat(['submit']));
    expect(first).toMatchObject({
      exit: 1,
      code: 'BUILD_NEEDED',
      details: { commitId: head, pushed: 'created' },
    });
    expect(first.details.next).toContain('plat build && plat submit');
    expect(await tip(checkout, 'feature/1-limits')).toBe(head);
    const { version } = await checkout.json<{ version: string }>(['build', '--no-report']);
    const submitted = await checkout.json<Submitted>(['submit']);
    expect(submitted).toMatchObject({
      review: { reviewId: first.details.reviewId, status: 'MERGE', name: 'Work on feature/1-limits' },
      ...{ commitId: head, pushed: 'unchanged', created: false, build: { version } },
    });
    expect(await reviews(checkout)).toHaveLength(1);
    const again = await checkout.json<Submitted>(['submit']);
    expect(again.build).toBeUndefined();
  });

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

  it('records a build that ran elsewhere, and waits until the review is merged', async () => {
    const checkout = await stand.repository('elsewhere');
    await onBranch(checkout, 'feature/1-limits');
    const waiting = checkout.plat(['submit', '--version', '1.4.0', '--name', 'Add limits', '--wait']);
    const driver = await stand.anotherCheckout(checkout, 'elsewhere-driver');
    await driver.json(['review', 'wait', 'feature/1-limits', '--until', 'MERGE']).catch(() => undefined);
    for (let merged = false; !merged;) {
      const { reviews: driven } = await driver.json<{ reviews: { outcome: string }[] }>([
        ...['drive', '--target-branch', 'main', '--gate-command', 'true'],
      ]);
      merged = driven.some(({ outcome }) => outcome === 'MERGED');
    }
    const run = await waiting;
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      review: { status: 'MERGED', name: 'Add limits' },
      ...{ created: true, build: { version: '1.4.0' } },
    });
  });

  it('never forces: it refuses a branch that has moved on origin, and leaves it', async () => {
    const checkout = await stand.repository('moved');
    await onBranch(checkout, 'feature/1-limits');
    const other = await stand.anotherCheckout(checkout, 'moved-other');
    await onBranch(other, 'feature/1-limits');
    await other.commit({ 'other.txt': 'other\n' }, 'Another hand');
    await other.git('push', '--quiet', 'origin', 'feature/1-limits');
    await checkout.commit({ 'mine.txt': 'mine\n' }, 'My hand');
    await checkout.git('config', 'remote.origin.push', '+refs/heads/*:refs/heads/*');
    const refused = refusal(await checkout.plat(['submit']));
    expect(refused).toMatchObject({ exit: 1, code: 'PUSH_REJECTED' });
    expect(refused.details.next).toBe('git pull --rebase origin feature/1-limits, then repeat the command');
    expect(await tip(checkout, 'feature/1-limits')).toBe(await other.git('rev-parse', 'HEAD'));
    expect(await reviews(checkout)).toEqual([]);
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

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
});

import { execFileSync } from '@plat/testing';
import { drive } from './drive-runs';
import { readReviews, setUpSource, SOURCE } from './drive-source';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

describe('a source that changes while its merge is gated', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  const setUp = (name: string) => setUpSource(stand, name);
  const landed = (checkout: Checkout, file: string) =>
    checkout.git('fetch', '--quiet', 'origin').then(() => checkout.git('show', `origin/main:${file}`));

  it('goes back to the tail after three gates with the reason, and the next review lands', async () => {
    const { checkout, reviewId, gateWith, push } = await setUp('restless');
    const other = await checkout.propose('feature/2-other', { 'other.txt': 'other\n' });
    const run = await drive(checkout, gateWith(push, { times: 3 }));
    expect(readReviews(run)).toMatchObject([
      {
        reviewId,
        outcome: 'ABANDONED',
        detail: expect.stringMatching(
          /changed during each of 3 gates.*back to the tail.* moved from /,
        ) as unknown,
      },
      { reviewId: other, outcome: 'MERGED' },
      { reviewId, outcome: 'MERGED' },
    ]);
    expect(run.code).toBe(1);
    expect(await landed(checkout, 'part.txt')).toBe('first\nmore\nmore\nmore');
  });

  it('between the push and the report makes the landing DIVERGENT, which every command says', async () => {
    const { checkout, reviewId, push } = await setUp('divergent');
    const once = `test ! -e '${checkout.folder}.moved' || exit 0; : > '${checkout.folder}.moved'`;
    const hook = await checkout.hook(
      'post-receive',
      `unset $(git rev-parse --local-env-vars); ${once}; ${push}`,
    );
    await hook.input('');
    const run = await drive(checkout, 'true');
    expect(readReviews(run)).toMatchObject([{ reviewId, outcome: 'MERGED', contentVerdict: 'DIVERGENT' }]);
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('its landed content is DIVERGENT');
    const wait = ['review', 'wait', reviewId];
    expect((await checkout.plat(wait)).code).toBe(4);
    expect((await checkout.plat([...wait, '--any-content'])).code).toBe(0);
    const divergent = { contentVerdict: 'DIVERGENT' };
    expect(await checkout.json(['status', reviewId])).toMatchObject(divergent);
    expect(await checkout.json(['review', 'why', reviewId])).toMatchObject(divergent);
    expect(await checkout.json(['review', 'list', '--here'])).toMatchObject([divergent]);
    const queue = await checkout.json(['review', 'queue', 'show', '--target-branch', 'main']);
    expect(queue).toMatchObject({ divergent: [{ reviewId }] });
  });

  it('stops plat exec push by hand, with the command that merges it again', async () => {
    const { checkout, reviewId, pushMore, remove } = await setUp('by-hand');
    const before = await checkout.git('ls-remote', 'origin', 'refs/heads/main');
    const merge = ['exec', 'gate-merge', '--source', SOURCE, '--target-branch', 'main'];
    const gate = async () => {
      await checkout.json(merge);
      await checkout.json(['build', '--gate', '--no-push', '--no-report']);
      return checkout.git('rev-parse', 'HEAD');
    };
    const gated = await gate();
    pushMore();
    const push = ['exec', 'push', '--target-branch', 'main'];
    const next = `plat exec gate-merge --target-branch main --source ${SOURCE}, then its gate`;
    for (const args of [push, [...push, '--commit-id', gated]]) {
      const refused = await checkout.plat(args);
      expect(JSON.parse(refused.stdout)).toMatchObject({
        code: 'SOURCE_MOVED',
        details: { sourceBranch: SOURCE, next },
      });
      expect(refused.code).toBe(1);
    }
    await gate();
    execFileSync('/bin/sh', ['-c', remove]);
    expect(JSON.parse((await checkout.plat(push)).stdout)).toMatchObject({ code: 'SOURCE_DELETED' });
    expect(await checkout.git('ls-remote', 'origin', 'refs/heads/main')).toBe(before);
    pushMore();
    await gate();
    expect((await checkout.plat(push)).code).toBe(0);
    expect(await landed(checkout, 'part.txt')).toBe('first\nmore\nmore');
    expect(reviewId).toBeDefined();
  });
});

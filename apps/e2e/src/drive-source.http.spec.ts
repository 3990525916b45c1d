import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { type Checkout, DriveStand, type PlatRun } from './drive-stand';

jest.setTimeout(120_000);

const SOURCE = 'feature/1-good';
const DRIVE = ['drive', '--target-branch', 'main', '--gate-command'];

interface Driven {
  reviewId: string;
  outcome: string;
  detail?: string;
}

describe('a source that changes while its merge is gated', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  /** A repository with a queued review, and a checkout of the person who works on its source. */
  async function setUp(name: string) {
    const checkout = await stand.repository(name, 'test ! -e FAIL');
    const reviewId = await checkout.propose(SOURCE, { 'part.txt': 'first\n' });
    const person = await stand.anotherCheckout(checkout, `${name}-person`);
    await person.git('switch', '--quiet', SOURCE);
    // Past the server of the repositories, which is in the process of the test.
    const bare = `${checkout.folder}.git`;
    const push = `cd '${person.folder}'; echo more >> part.txt; git commit -qam More; git push -q '${bare}' ${SOURCE}`;
    const counter = `${checkout.folder}.gates`;
    await writeFile(counter, '');
    return {
      checkout,
      reviewId,
      person,
      /** A gate that counts itself and runs a command at each of its first `times` runs. */
      gateWith: (command: string, { times = 1, after = 'true' } = {}) =>
        `echo x >> '${counter}'; test ! -e part.txt || test $(wc -l < '${counter}') -gt ${times} || { (${command}) || exit 9; ${after}; }`,
      push,
      pushMore: () => execFileSync('/bin/sh', ['-c', push]),
      remove: `git -C '${person.folder}' push -q '${bare}' :${SOURCE}`,
    };
  }
  const drive = (checkout: Checkout, gate: string, ...more: string[]) =>
    checkout.plat([...DRIVE, gate, ...more]);
  const reviewsOf = ({ stdout }: PlatRun) => (JSON.parse(stdout) as { reviews: Driven[] }).reviews;
  const statusOf = async (checkout: Checkout, id: string) =>
    (await checkout.json<{ status: string }>(['review', 'show', id])).status;
  /** The gate runs of a review, the oldest first. */
  const gateRuns = async (checkout: Checkout, id: string) =>
    (
      await checkout.json<{ gateRuns: { verdict: string; failingStep?: string }[] }>([
        'gate',
        'list',
        '--review',
        id,
      ])
    ).gateRuns
      .map(({ verdict, failingStep }) => ({ verdict, failingStep }))
      .reverse();
  const landed = (checkout: Checkout, file: string) =>
    checkout.git('fetch', '--quiet', 'origin').then(() => checkout.git('show', `origin/main:${file}`));

  it.each([
    ['passes', 'true'],
    ['fails', 'exit 1'],
  ])('is merged and gated at its new tip, whether the gate of the old one %s', async (how, after) => {
    const { checkout, reviewId, person, gateWith, push } = await setUp(`moved-${how}`);
    const old = await person.git('rev-parse', 'HEAD');
    const run = await drive(checkout, gateWith(push, { after }));
    expect(reviewsOf(run)).toMatchObject([{ reviewId, outcome: 'MERGED' }]);
    expect(await landed(checkout, 'part.txt')).toBe('first\nmore');
    const tip = await person.git('rev-parse', 'HEAD');
    const failingStep = `the source moved meanwhile, from ${old} to ${tip}`;
    expect(await gateRuns(checkout, reviewId)).toEqual([
      { verdict: 'INCONCLUSIVE', failingStep },
      { verdict: 'PASSED' },
    ]);
    expect(run.stderr).toContain(`The source ${SOURCE} moved from ${old} to ${tip} after it was merged.`);
    expect((await checkout.plat(['review', 'verify', reviewId])).code).toBe(0);
  });

  it('is read again directly before the push: nothing of the old tip is pushed', async () => {
    const { checkout, reviewId, pushMore } = await setUp('moved-late');
    let builds = 0;
    stand.proxy.changeAnswers(/^POST .*\/builds$/, (body) => {
      if ((builds += 1) === 1) pushMore();
      return body;
    });
    const run = await drive(checkout, 'true');
    stand.proxy.changeAnswers(/^never$/, (body) => body);
    expect(reviewsOf(run)).toMatchObject([{ reviewId, outcome: 'MERGED' }]);
    expect(await landed(checkout, 'part.txt')).toBe('first\nmore');
    expect(await checkout.git('rev-list', '--count', 'origin/main')).toBe('2');
    expect(builds).toBe(2);
  });

  it('goes back to the tail after three gates with the reason, and the next review lands', async () => {
    const { checkout, reviewId, gateWith, push } = await setUp('restless');
    const other = await checkout.propose('feature/2-other', { 'other.txt': 'other\n' });
    const run = await drive(checkout, gateWith(push, { times: 3 }));
    expect(reviewsOf(run)).toMatchObject([
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

  it('fails its review if it was deleted, and the next review lands', async () => {
    const { checkout, reviewId, gateWith, remove } = await setUp('deleted');
    const other = await checkout.propose('feature/2-other', { 'other.txt': 'other\n' });
    const run = await drive(checkout, gateWith(remove));
    expect(reviewsOf(run)).toMatchObject([
      { reviewId, outcome: 'FAILED', detail: expect.stringContaining('was deleted on origin') as unknown },
      { reviewId: other, outcome: 'MERGED' },
    ]);
    expect(await statusOf(checkout, reviewId)).toBe('FAILED');
    expect(await gateRuns(checkout, reviewId)).toEqual([
      { verdict: 'INCONCLUSIVE', failingStep: 'the source was deleted meanwhile' },
    ]);
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
    expect(reviewsOf(run)).toMatchObject([{ reviewId, outcome: 'MERGED', contentVerdict: 'DIVERGENT' }]);
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

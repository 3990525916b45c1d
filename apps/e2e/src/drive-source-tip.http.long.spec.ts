import { drive, readStatus } from './drive-runs';
import { readReviews, setUpSource, SOURCE } from './drive-source';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

describe('a source that changes while its merge is gated', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  const setUp = (name: string) => setUpSource(stand, name);
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
    expect(readReviews(run)).toMatchObject([{ reviewId, outcome: 'MERGED' }]);
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
    expect(readReviews(run)).toMatchObject([{ reviewId, outcome: 'MERGED' }]);
    expect(await landed(checkout, 'part.txt')).toBe('first\nmore');
    expect(await checkout.git('rev-list', '--count', 'origin/main')).toBe('2');
    expect(builds).toBe(2);
  });

  it('fails its review if it was deleted, and the next review lands', async () => {
    const { checkout, reviewId, gateWith, remove } = await setUp('deleted');
    const other = await checkout.propose('feature/2-other', { 'other.txt': 'other\n' });
    const run = await drive(checkout, gateWith(remove));
    expect(readReviews(run)).toMatchObject([
      { reviewId, outcome: 'FAILED', detail: expect.stringContaining('was deleted on origin') as unknown },
      { reviewId: other, outcome: 'MERGED' },
    ]);
    expect(await readStatus(checkout, reviewId)).toBe('FAILED');
    expect(await gateRuns(checkout, reviewId)).toEqual([
      { verdict: 'INCONCLUSIVE', failingStep: 'the source was deleted meanwhile' },
    ]);
  });
});

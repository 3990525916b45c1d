import { DriveBench, REVIEW_ID, SOURCE } from '../black-box/drive-bench';
import { findLandedState } from './landed-state';

const BUILDS = `GET /v1/reviews/${REVIEW_ID}/builds`;
const [OLD, NEW] = ['2', '3'].map((digit) => `${REVIEW_ID.slice(0, -1)}${digit}`) as [string, string];

describe('a review whose merge has landed and was not reported', () => {
  let bench: DriveBench;
  let onTarget: string;
  beforeEach(async () => {
    bench = await DriveBench.set();
    onTarget = await bench.commit('main');
  });
  afterEach(() => bench.strike());

  const green = (buildId: string, commitId: string, facts = {}) => ({
    buildId,
    commitId,
    kind: 'GATE',
    successful: true,
    ...facts,
  });
  const landed = () => findLandedState(bench.context(), bench.state());

  it('needs only its report, with the newest green GATE build whose commit is on the target', async () => {
    const tip = await bench.moveTarget({ 'more.txt': 'more\n' });
    const beside = await bench.checkout.branch('beside', { 'beside.txt': 'beside\n' });
    const unknown = 'f'.repeat(40);
    const builds = [
      green(REVIEW_ID, unknown),
      green(REVIEW_ID, beside),
      green(NEW, tip),
      green(OLD, onTarget),
    ];
    bench.platform.answer(BUILDS, { body: builds });
    expect(await landed()).toEqual({
      ...bench.state(),
      merge: { targetCommit: tip, mergeCommit: tip },
      verdict: { successful: true },
      buildId: NEW,
      pushed: true,
    });
    expect(bench.notes).toEqual([`"Add limits" has landed as ${tip} and was not reported: it is reported.`]);
  });

  it('is none whose build is of another commit of the target, whatever the platform says', async () => {
    const part = { 'limits.txt': 'limits\n' };
    await bench.checkout.branch(SOURCE, part);
    const other = await bench.moveTarget({ 'other.txt': 'other\n' });
    bench.platform.answer(BUILDS, { body: [green(NEW, other), green(OLD, onTarget)] });
    expect(await landed()).toBeUndefined();
    expect(bench.notes.join()).toContain(`The platform names ${other} as a merge of ${SOURCE}`);
    const merge = await bench.moveTarget({ ...part, 'other.txt': 'other\n' });
    bench.platform.answer(BUILDS, { body: [green(NEW, merge)] });
    expect(await landed()).toMatchObject({ buildId: NEW, merge: { mergeCommit: merge } });
  });

  it('may have a source that has moved since, or that is on the target by now', async () => {
    await bench.checkout.branch(SOURCE, { 'limits.txt': 'limits\n' });
    const merge = await bench.moveTarget({ 'limits.txt': 'limits\n' });
    bench.platform.answer(BUILDS, { body: [green(NEW, merge)] });
    await bench.checkout.git('switch', '--quiet', SOURCE);
    await bench.checkout.commit({ 'later.txt': 'later\n' }, 'Later');
    await bench.checkout.git('push', '--quiet', 'origin', SOURCE);
    expect(await landed()).toMatchObject({ buildId: NEW });
    await bench.checkout.git('push', '--quiet', '--force', 'origin', `origin/main:${SOURCE}`);
    expect(await landed()).toMatchObject({ buildId: NEW });
  });

  it.each([
    ['failed', { successful: false }],
    ['is of another kind', { kind: 'RECORDED' }],
  ])('is not a review whose build %s, even if the commit is on the target', async (_what, facts) => {
    bench.platform.answer(BUILDS, { body: [green(OLD, onTarget, facts)] });
    expect(await landed()).toBeUndefined();
  });
});

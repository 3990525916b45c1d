import { DriveBench, REVIEW_ID } from '../black-box/drive-bench';
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

  it.each([
    ['failed', { successful: false }],
    ['is of another kind', { kind: 'RECORDED' }],
  ])('is not a review whose build %s, even if the commit is on the target', async (_what, facts) => {
    bench.platform.answer(BUILDS, { body: [green(OLD, onTarget, facts)] });
    expect(await landed()).toBeUndefined();
  });
});

import type { Change } from './files';
import { minimize, simplerPlans } from './minimize';
import type { LandingPlan } from './plan';

const log = (number: number): Change => ({ file: 0, log: true, number });
const line = { kind: 'line', text: '}' } as const;

const plan: LandingPlan = {
  code: [[line, line], [line], [], []],
  prior: [[log(1)]],
  ours: [[log(2), log(3)], [log(4)]],
  theirs: [[log(5)], [log(6), log(7)]],
  clash: 'none',
  landing: 'squash',
  resolution: 'the source',
  choice: 0,
};
const numbers = (commits: Change[][]) => commits.map((changes) => changes.map(({ number }) => number));

it('a plan is reduced to the parts without which its verdict is right', async () => {
  const isWrong = ({ ours, theirs, code }: LandingPlan) =>
    ours.flat().some(({ number }) => number === 3) &&
    theirs.flat().some(({ number }) => number === 7) &&
    code[0]!.length > 0;
  const smallest = await minimize(plan, (plans) => Promise.resolve(plans.map(isWrong)));
  expect(numbers(smallest.ours)).toEqual([[3]]);
  expect(numbers(smallest.theirs)).toEqual([[7]]);
  expect([smallest.prior, smallest.code]).toEqual([[], [[line], [], [], []]]);
});

it('a plan of which every part is needed stays', async () => {
  expect(await minimize(plan, (plans) => Promise.resolve(plans.map(() => false)))).toBe(plan);
});

it('a source keeps its last commit, and a commit its last change', () => {
  const smallest: LandingPlan = { ...plan, code: [[], [], [], []], prior: [], ours: [], theirs: [[log(5)]] };
  expect(simplerPlans(smallest)).toEqual([]);
});

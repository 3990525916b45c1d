import { causeOf, type LoggedMove } from './history';
import { judgeStatuses, type SeenStatus } from './statuses';

const move = (
  version: number,
  name: LoggedMove['move'],
  reviewId: string,
  ticket: number | null,
): LoggedMove => ({
  targetBranch: 'main',
  version,
  reviewId,
  repository: 'r',
  move: name,
  ticket,
  cause: causeOf({ name }, name),
  actorUserId: 'alice',
  reason: null,
  at: version,
});
const LOG = [
  move(1, 'ready', 'a', 1),
  move(2, 'promote', 'a', 1),
  move(3, 'ready', 'b', 2),
  move(4, 'ready', 'c', 3),
  move(5, 'requeue', 'a', 4),
];
const seen = (version: number, occupantId: string | undefined, line: string[]): SeenStatus => ({
  targetBranch: 'main',
  repository: 'r',
  version,
  occupantId,
  line,
});

it('accepts statuses that show the queue at their version, in whatever order they came', () => {
  const statuses = [seen(5, undefined, ['b', 'c', 'a']), seen(0, undefined, []), seen(4, 'a', ['b', 'c'])];
  expect(judgeStatuses(LOG, statuses)).toEqual([]);
});

it.each([
  ['the slot of another moment', seen(4, undefined, ['b', 'c'])],
  ['a line without a review', seen(4, 'a', ['b'])],
  ['a line in another order', seen(4, 'a', ['c', 'b'])],
  ['a move that comes later', seen(3, 'a', ['b', 'c'])],
])('notices %s', (_, status) => {
  expect(judgeStatuses(LOG, [status])).toHaveLength(1);
});

import { causeOf, type LoggedMove, type Operation } from './history';
import { judge } from './witness';

let version = 0;
beforeEach(() => (version = 0));

const move = (name: LoggedMove['move'], reviewId: string, ticket: number | null = null): LoggedMove => ({
  targetBranch: 'main',
  version: ++version,
  reviewId,
  repository: 'r',
  move: name,
  ticket,
  cause: causeOf({ name }, name),
  actorUserId: 'alice',
  reason: null,
  at: version * 100,
});
/** A request that was under way while the move was made. */
const asked = (of: LoggedMove, given: Partial<Operation> = {}): Operation => ({
  name: of.move,
  startedAt: of.at - 10,
  endedAt: of.at + 10,
  requestId: `request ${of.version}`,
  userId: 'alice',
  targetBranch: 'main',
  repository: 'r',
  reviewId: of.reviewId,
  outcome: 'moved',
  moves: [of.move],
  ...given,
});
const line = () => [
  move('ready', 'a', 1),
  move('ready', 'b', 2),
  move('promote', 'a'),
  move('requeue', 'a', 3),
  move('promote', 'b'),
];
const judged = (log: LoggedMove[], extra: Operation[] = []) =>
  judge(log, [...log.map((each) => asked(each)), ...extra], []);

describe('the witness of a history', () => {
  it('reports nothing for allowed moves that were requested', () => {
    expect(judged(line())).toEqual([]);
  });

  it('judges 8,000 moves in a moment', () => {
    const log = Array.from({ length: 4_000 }, (_, n) => [
      move('ready', `r${n}`, n + 1),
      move('promote', `r${n}`),
      move('fail', `r${n}`),
    ]);
    expect(judged(log.flat())).toEqual([]);
  });

  it.each<[string, () => LoggedMove[], RegExp]>([
    [
      'a promotion past the head',
      () => [move('ready', 'a', 1), move('ready', 'b', 2), move('promote', 'b')],
      /not the first of its line/,
    ],
    [
      'two reviews at MERGE',
      () => [move('ready', 'a', 1), move('promote', 'a'), move('ready', 'b', 2), move('promote', 'b')],
      /slot that is taken/,
    ],
    [
      'a move of a review that has ended',
      () => [move('close', 'a'), move('ready', 'a', 1)],
      /ready of a review at CLOSED/,
    ],
    [
      'a ticket that is not the largest',
      () => [move('ready', 'a', 2), move('ready', 'b', 1)],
      /ticket 1 after 2/,
    ],
    [
      'a version left out',
      () => [move('ready', 'a', 1), { ...move('promote', 'a'), version: 3 }],
      /version 3 follows 1/,
    ],
    [
      'a move with an earlier time than the move before it',
      () => [move('ready', 'a', 1), { ...move('promote', 'a'), at: 50 }],
      /logged before version 1/,
    ],
  ])('notices %s', (_, log, fault) => {
    expect(judged(log())).toContainEqual(expect.stringMatching(fault));
  });

  it('notices a move without a request, and an answer without its move', () => {
    const log = line();
    expect(
      judge(
        log,
        log.slice(1).map((each) => asked(each)),
        [],
      ),
    ).toEqual([expect.stringMatching(/ready of a: no request asked/)]);
    const late = asked(log[2]!, { startedAt: 900, endedAt: 910 });
    expect(judged(log, [late])).toEqual([
      expect.stringMatching(/promote confirmed a move of a that is not in the log/),
    ]);
  });

  it('allows a request without an answer to have moved or not', () => {
    const log = line();
    const unanswered = asked(log[2]!, { outcome: 'unknown' });
    expect(judge(log, [...log.filter((_, n) => n !== 2).map((each) => asked(each)), unanswered], [])).toEqual(
      [],
    );
    expect(judged(log, [unanswered])).toEqual([]);
  });

  it('requires a refusal to have been true at some moment of the request', () => {
    const log = line();
    const refused = (given: Partial<Operation>) =>
      asked(log[2]!, { outcome: 'refused', moves: [], ...given });
    const occupied = { code: 'MERGE_QUEUE_OCCUPIED', occupantId: 'a', startedAt: 310, endedAt: 320 };
    expect(
      judged(log, [refused(occupied), refused({ code: 'EMPTY_QUEUE', startedAt: 10, endedAt: 20 })]),
    ).toEqual([]);
    expect(judged(log, [refused({ ...occupied, startedAt: 410, endedAt: 420 })])).toHaveLength(1);
    expect(judged(log, [refused({ code: 'EMPTY_QUEUE', startedAt: 110, endedAt: 120 })])).toHaveLength(1);
  });

  it('notices a promotion past a thread that was acknowledged before, except by override', () => {
    const log = [move('ready', 'a', 1), move('promote', 'a')];
    const thread = { reviewId: 'a', openedBy: 150 };
    expect(judge(log, [asked(log[0]!), asked(log[1]!, { name: 'advance' })], [thread])).toEqual([
      expect.stringMatching(/a thread was open/),
    ]);
    const override = { name: 'override-advance', reason: 'settled' };
    log[1] = { ...log[1]!, cause: 'PROMOTED_BY_OVERRIDE', reason: 'settled' };
    expect(judge(log, [asked(log[0]!), asked(log[1], override)], [thread])).toEqual([]);
  });

  it.each<[string, Partial<LoggedMove>]>([
    ['another cause', { cause: 'PROMOTED_BY_OVERRIDE' }],
    ['another actor', { actorUserId: 'bob' }],
    ['a reason that no one gave', { reason: 'because' }],
  ])('notices a move that is logged with %s', (_, changed) => {
    const log = [move('ready', 'a', 1), move('promote', 'a')];
    const operations = log.map((each) => asked(each));
    log[1] = { ...log[1]!, ...changed };
    expect(judge(log, operations, [])).toEqual([
      expect.stringMatching(/promote confirmed a move of a that is not in the log/),
      expect.stringMatching(/promote of a: no request asked for it/),
    ]);
  });
});

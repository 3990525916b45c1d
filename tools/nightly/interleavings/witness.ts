import { grouped } from './grouped';
import {
  CLOCK_SLACK_MS,
  describeMove,
  type LoggedMove,
  type Operation,
  type Thread,
  within,
} from './history';
import { judgeOwners } from './owners';
import { QueueModel } from './queue-model';

/**
 * Judges a history by the log of the queues' moves, which is the witness of their order: each move must be one that the
 * contract allows after those before it, each must be somebody's, made while he waited for the answer, and each answer
 * must have been true at some moment between request and answer. Answers what does not hold, in words.
 */
export function judge(
  log: readonly LoggedMove[],
  operations: readonly Operation[],
  threads: readonly Thread[],
): string[] {
  const queues = grouped(log, ({ targetBranch }) => targetBranch);
  return [
    ...[...queues].flatMap(([target, moves]) => judgeOrder(target, moves, operations)),
    ...judgeOwners(log, operations),
    ...judgeThreads(log, operations, threads),
  ];
}

/** The moves in their order, and the refusals between them. */
function judgeOrder(target: string, moves: LoggedMove[], operations: readonly Operation[]): string[] {
  const queue = new QueueModel();
  const faults: string[] = [];
  const refusals = new Refusals(operations.filter((each) => each.targetBranch === target && isJudged(each)));
  let since = -Infinity;
  for (const move of moves) {
    faults.push(...refusals.judge(queue, { from: since, to: move.at }));
    if (move.at < since - CLOCK_SLACK_MS) {
      faults.push(`${describeMove(move)}: logged before version ${move.version - 1}`);
    }
    faults.push(...queue.make(move).map((fault) => `${describeMove(move)}: ${fault}`));
    since = move.at;
  }
  return [...faults, ...refusals.judge(queue, { from: since, to: Infinity }), ...refusals.end()];
}

/** Refusals that say something of their queue, each to be found true at one moment while it was waited for. */
class Refusals {
  private readonly coming: Operation[];
  private open: Operation[] = [];

  constructor(refused: Operation[]) {
    this.coming = refused.toSorted((one, other) => other.startedAt - one.startedAt);
  }

  /** Judges those that were under way while the queue stood as it does. */
  judge(queue: QueueModel, { from, to }: { from: number; to: number }): string[] {
    for (
      let next = this.coming.at(-1);
      next && next.startedAt <= to + CLOCK_SLACK_MS;
      next = this.coming.at(-1)
    ) {
      this.open.push(this.coming.pop()!);
    }
    const over = this.open.filter(({ endedAt }) => endedAt < from - CLOCK_SLACK_MS);
    this.open = this.open.filter((each) => !over.includes(each) && !isTrueOf(queue, each));
    return over.map(untrue);
  }

  end(): string[] {
    return this.open.map(untrue);
  }
}

const untrue = ({ name, targetBranch, code }: Operation): string =>
  `${name} on ${targetBranch} was refused ${code}, which was never so`;

const isJudged = ({ code }: Operation): boolean => code === 'MERGE_QUEUE_OCCUPIED' || code === 'EMPTY_QUEUE';

function isTrueOf(queue: QueueModel, { code, repository, occupantId }: Operation): boolean {
  // Without a name the line depends on what waits: the database's own invariants judge that.
  if (repository === null) return true;
  if (code === 'EMPTY_QUEUE') return queue.waiting(repository) === 0;
  return queue.occupant(repository) === occupantId;
}

/** A promotion that skips no check never passes over a thread that was acknowledged before it. */
function judgeThreads(
  log: readonly LoggedMove[],
  operations: readonly Operation[],
  threads: readonly Thread[],
): string[] {
  const overrides = operations.filter(({ name }) => name === 'override-advance');
  return log
    .filter(({ move }) => move === 'promote')
    .filter((move) => !overrides.some((each) => each.reviewId === move.reviewId && within(move.at, each)))
    .filter(({ reviewId, at }) =>
      threads.some(
        (thread) =>
          thread.reviewId === reviewId && thread.openedBy < at && at < (thread.closingFrom ?? Infinity),
      ),
    )
    .map((move) => `${describeMove(move)}: a thread was open`);
}

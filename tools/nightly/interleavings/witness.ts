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
 * Judges a history by the log of the queues' moves, which proves their order. The contract must allow each move after
 * the ones before it, each move must belong to a request and lie between its start and its answer, and each answer must
 * have been true at some moment in between. Returns the violations, in words.
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

/** Replays the moves in order, with the refusals between them. */
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

/** Refusals that state something about their queue. Each has to be true at one moment between request and answer. */
class Refusals {
  private readonly coming: Operation[];
  private open: Operation[] = [];

  constructor(refused: Operation[]) {
    this.coming = refused.toSorted((one, other) => other.startedAt - one.startedAt);
  }

  /** Checks the refusals that were under way during the queue's current state. */
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
  `${name} on ${targetBranch} was refused ${code}, which was true at no moment`;

const isJudged = ({ code }: Operation): boolean => code === 'MERGE_QUEUE_OCCUPIED' || code === 'EMPTY_QUEUE';

function isTrueOf(queue: QueueModel, { code, repository, occupantId }: Operation): boolean {
  // Without a repository the line depends on the waiting reviews; the database's own invariants check that.
  if (repository === null) return true;
  if (code === 'EMPTY_QUEUE') return queue.waiting(repository) === 0;
  return queue.occupant(repository) === occupantId;
}

/** Only an override may promote a review that has an open thread, if the thread was acknowledged before. */
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

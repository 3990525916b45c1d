import { grouped } from './grouped';
import { causeOf, describeMove, type LoggedMove, type MoveName, type Operation, within } from './history';

/**
 * Checks that each move belongs to exactly one request, whose cause, user and reason the log names, and that each
 * request with a confirmed move has one. Returns the violations, in words.
 */
export function judgeOwners(log: readonly LoggedMove[], operations: readonly Operation[]): string[] {
  const asked = grouped(
    operations
      .filter(({ outcome }) => outcome !== 'refused')
      .flatMap((operation) => operation.moves.map((move) => ({ operation, move }))),
    ({ operation, move }) => `${askedFor(operation, move)} ${operation.reviewId}`,
  );
  const made = grouped(log, (move) => `${logged(move)} ${move.reviewId}`);
  const matched = [...new Set([...asked.keys(), ...made.keys()])].map((kind) =>
    match(
      made.get(kind) ?? [],
      (asked.get(kind) ?? []).map(({ operation }) => operation),
    ),
  );
  const unowned = withoutOwner(
    matched.flatMap(({ unowned: moves }) => moves),
    operations,
  );
  return [
    ...matched.flatMap(({ lost }) => lost),
    ...unowned.map((move) => `${describeMove(move)}: no request asked for it`),
  ];
}

/** Returns the text that the log must have for a move that the request makes. */
const askedFor = (operation: Operation, move: MoveName): string =>
  [move, causeOf(operation, move), operation.userId, operation.reason ?? ''].join(' ');

/** Returns the text that the log has for a move. */
const logged = ({ move, cause, actorUserId, reason }: LoggedMove): string =>
  [move, cause, actorUserId, reason ?? ''].join(' ');

/** Removes promotions that an unanswered advance may have made. The review that it promoted is unknown. */
function withoutOwner(moves: readonly LoggedMove[], operations: readonly Operation[]): LoggedMove[] {
  const free = new Set(operations.filter(({ outcome, reviewId }) => outcome === 'unknown' && !reviewId));
  return moves.filter((move) => {
    const owner = [...free].find(
      (each) =>
        each.targetBranch === move.targetBranch &&
        each.moves.some((name) => askedFor(each, name) === logged(move)) &&
        within(move.at, each),
    );
    return owner === undefined || !free.delete(owner);
  });
}

interface Matched {
  /** Confirmed moves that did not happen, in words. */
  lost: string[];
  unowned: LoggedMove[];
}

/** A maximum matching (Kuhn's) that gives requests with a confirmed move their move first. */
function match(moves: readonly LoggedMove[], operations: readonly Operation[]): Matched {
  const owners = new Map<LoggedMove, Operation>();
  const claim = (operation: Operation, seen: Set<LoggedMove>): boolean =>
    moves.some((move) => {
      if (seen.has(move) || !within(move.at, operation)) return false;
      seen.add(move);
      const owner = owners.get(move);
      if (owner !== undefined && !claim(owner, seen)) return false;
      owners.set(move, operation);
      return true;
    });
  const confirmed = operations.filter(({ outcome }) => outcome === 'moved');
  const lost = confirmed.filter((operation) => !claim(operation, new Set()));
  for (const operation of operations) if (operation.outcome !== 'moved') claim(operation, new Set());
  return {
    lost: lost.map(({ name, reviewId }) => `${name} confirmed a move of ${reviewId} that is not in the log`),
    unowned: moves.filter((move) => !owners.has(move)),
  };
}

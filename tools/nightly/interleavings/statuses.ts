import { grouped } from './grouped';
import type { LoggedMove } from './history';
import { QueueModel } from './queue-model';
import { REPOSITORIES, TARGETS, type World } from './world';

/** The queue of a repository, as a status showed it. */
export interface SeenStatus {
  targetBranch: string;
  repository: string;
  version: number;
  /** The review at MERGE. */
  occupantId: string | undefined;
  /** Those that wait, in the order of their positions. */
  line: readonly string[];
}

interface StatusRow {
  version: number;
  slot: { review: { review_id: string } } | null;
  entries: { review_id: string }[] | null;
}

/** More than wait at any time. */
const LINE_MAX = 10_000;

/** Reads the status of some queue while it moves. */
export async function seeStatus({ random, reviews, scope, statuses }: World): Promise<void> {
  const targetBranch = random.pick(TARGETS);
  const repository = random.pick(REPOSITORIES.filter((named) => named !== null));
  const args = [targetBranch, repository, 0, LINE_MAX];
  const [row] = await reviews.call<StatusRow>(scope, { name: 'reviews.queue_status', args });
  const { version, slot, entries } = row!;
  const line = (entries ?? []).map(({ review_id: id }) => id);
  statuses.push({ targetBranch, repository, version, occupantId: slot?.review.review_id, line });
}

/** Checks that each status shows the queue as it was at the version that the status names. */
export function judgeStatuses(log: readonly LoggedMove[], statuses: readonly SeenStatus[]): string[] {
  const moves = grouped([...log], ({ targetBranch }) => targetBranch);
  return [...grouped([...statuses], ({ targetBranch }) => targetBranch)].flatMap(([target, seen]) => {
    const queue = new QueueModel();
    const made = moves.get(target) ?? [];
    let version = 0;
    return seen
      .toSorted((one, other) => one.version - other.version)
      .flatMap((status) => {
        for (; version < status.version && made[version]; version += 1) queue.make(made[version]!);
        const shown = `${status.occupantId ?? 'nobody'} before ${status.line.join(' ')}`;
        const was = `${queue.occupant(status.repository) ?? 'nobody'} before ${queue.line(status.repository).join(' ')}`;
        return shown === was
          ? []
          : [`the status of ${target} at version ${status.version} shows ${shown}, and not ${was}`];
      });
  });
}

import type { Budget } from '../budget';
import { renamesBetween } from '../merge/moved-paths';
import { filesOf, readChangeSet } from '../objects/change-set';
import { changesAt } from '../objects/changes-at';
import type { ObjectStore } from '../objects/object-store';
import type { TargetCommit } from '../objects/target-commits';
import { RemoteFailure } from '../remote-failure';
import type { EarlierWork } from './earlier-work';

/** Most landings of one path. A file that every landing changes has few lines of older ones. */
export const LANDINGS_OF_PATH_MAX = 32;
/** Most landings of which moves are searched: each takes as many requests as the folders are deep. */
const SEARCHED_MAX = 16;

interface Reading {
  store: ObjectStore;
  budget: Budget;
}

/**
 * Follows files that a landing moved: its change is that of the moved file, and the work of older landings is that at the path
 * before.
 *
 * @param works of the paths, newest first
 * @throws RemoteFailure
 */
export async function followMoves(
  works: readonly EarlierWork[][],
  landings: readonly TargetCommit[],
  reading: Reading,
): Promise<{ works: EarlierWork[][]; isComplete: boolean }> {
  const finder = new MoveFinder(landings, reading);
  const followed: EarlierWork[][] = [];
  for (const work of works) followed.push(await finder.follow(work));
  return { works: followed, isComplete: finder.isComplete };
}

class MoveFinder {
  private readonly origins = new Map<string, ReadonlyMap<string, string>>();
  isComplete = true;

  constructor(
    private readonly landings: readonly TargetCommit[],
    private readonly reading: Reading,
  ) {}

  async follow(work: readonly EarlierWork[]): Promise<EarlierWork[]> {
    let all = [...work];
    for (let path = all.at(-1)?.at.path; path !== undefined && all.length < LANDINGS_OF_PATH_MAX;) {
      const last = all.at(-1) as EarlierWork;
      const origin = last.old === undefined ? (await this.originsOf(last.commitId)).get(path) : undefined;
      if (origin === undefined) return all;
      const index = this.landings.findIndex(({ commitId }) => commitId === last.commitId);
      const wanted = { paths: [origin], max: LANDINGS_OF_PATH_MAX - all.length + 1 };
      const { changes, isComplete } = await changesAt(this.reading.store, this.landings.slice(index), wanted);
      this.isComplete &&= isComplete;
      const [move, ...older] = (changes.get(origin) ?? []).map(({ pair: { commitId }, old, made }) => {
        return { commitId, at: last.at, old, made };
      });
      if (move === undefined) return all;
      all = [...all.slice(0, -1), { ...last, old: move.old }, ...older];
      path = origin;
    }
    return all;
  }

  /** The paths before of the files that a landing moved, by the paths after. */
  private async originsOf(commitId: string): Promise<ReadonlyMap<string, string>> {
    const known = this.origins.get(commitId);
    if (known !== undefined) return known;
    const landing = this.landings.find((each) => each.commitId === commitId);
    if (landing === undefined || this.origins.size === SEARCHED_MAX) {
      this.isComplete = false;
      return new Map();
    }
    const found = await this.searchMoves(landing);
    this.origins.set(commitId, found);
    return found;
  }

  private async searchMoves({ before, treeId }: TargetCommit): Promise<ReadonlyMap<string, string>> {
    const { store, budget } = this.reading;
    try {
      const trees = { baseTreeId: before, sourceTreeId: treeId };
      const changes = await readChangeSet(store, trees, budget.caps);
      const files = changes === undefined ? [] : filesOf(changes);
      const removed = files.flatMap(({ path, source }) => (source === undefined ? path : []));
      const moved = await renamesBetween({ base: before, changed: treeId }, new Set(removed), this.reading);
      if (moved !== 'unclear') return new Map([...moved].map(([path, to]) => [to.path, path]));
    } catch (error) {
      // A landing of very many files is compared without its moves.
      if (!(error instanceof RemoteFailure) || error.reason !== 'remote_too_large') throw error;
    }
    this.isComplete = false;
    return new Map();
  }
}

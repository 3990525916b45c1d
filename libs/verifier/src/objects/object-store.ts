import type { Commit } from '../pack/commit';
import type { DecodedPack } from '../pack/decoded-pack';
import type { RemoteRepository } from '../protocol/remote-repository';
import { unreadable } from '../remote-failure';

/** Most ids in one request; each takes 50 bytes of it. */
const WANTS_MAX = 4_096;
/** How often objects that the server left out are asked for again. Each time it sends at least one of them. */
const REPEATS_MAX = 16;

/**
 * Commits, directories and files of the remote by id. They are fetched on demand and kept as the packs they came in.
 */
export class ObjectStore {
  constructor(
    private readonly remote: RemoteRepository,
    private readonly packs: DecodedPack[] = [],
  ) {}

  /** Fetches the directories and files that are not in the store yet. @throws RemoteFailure */
  load(ids: Iterable<string>): Promise<void> {
    return this.fetchMissing(ids, {});
  }

  /**
   * Fetches the commits that are not in the store yet, without ancestors but with their root directories, and other
   * directories in a second request at the same time. In one request the server would add everything directly below
   * them.
   * @throws RemoteFailure
   */
  async loadCommits(ids: readonly string[], treeIds: readonly string[] = []): Promise<void> {
    await Promise.all([this.fetchMissing(ids, { single: true }), this.load(treeIds)]);
  }

  has(id: string): boolean {
    return this.packOf(id) !== undefined;
  }

  /** @throws RemoteFailure remote_unreadable if the server did not send it */
  commit(id: string): Commit {
    const commit = this.packOf(id)?.commits.get(id);
    if (commit === undefined) throw unreadable('object not sent');
    return commit;
  }

  /** @throws RemoteFailure remote_unreadable if the server did not send it, or sent another type under this id */
  read(id: string, type: 'tree' | 'blob'): Buffer {
    const pack = this.packOf(id);
    const content = pack?.typeOf(id) === type ? pack.read(id) : undefined;
    if (content === undefined) throw unreadable('object not sent');
    return content;
  }

  private async fetchMissing(ids: Iterable<string>, options: { single?: boolean }): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.has(id));
    for (let start = 0; start < missing.length; start += WANTS_MAX) {
      await this.fetchAll(missing.slice(start, start + WANTS_MAX), options);
    }
  }

  /**
   * With `filter tree:0` git's server leaves out a wanted directory that is directly below another wanted one, although
   * the filter asks for exactly the wanted ones. So what it left out is asked for again, without the others.
   */
  private async fetchAll(ids: readonly string[], options: { single?: boolean }): Promise<void> {
    let wants = ids;
    for (let repeats = 0; wants.length > 0 && repeats <= REPEATS_MAX; repeats += 1) {
      const { pack } = await this.remote.fetch({ wants: [...wants], haves: [], done: true, ...options });
      if (pack === undefined) throw unreadable('no pack although asked for it');
      this.packs.push(pack);
      const leftOut = wants.filter((id) => !this.has(id));
      // A server that sends none of them has none of them: the reader of an object then says so.
      if (leftOut.length === wants.length) return;
      wants = leftOut;
    }
  }

  private packOf(id: string): DecodedPack | undefined {
    return this.packs.find((pack) => pack.typeOf(id) !== undefined);
  }
}

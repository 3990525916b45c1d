import type { Commit } from '../pack/commit';
import type { DecodedPack } from '../pack/decoded-pack';
import type { RemoteRepository } from '../protocol/remote-repository';
import { unreadable } from '../remote-failure';

/** Ids asked for in one request; each takes 50 bytes of it. */
const WANTS_MAX = 4_096;

/** Commits, directories and files of the remote by id, fetched when they are needed and held as the packs they came in. */
export class ObjectStore {
  constructor(
    private readonly remote: RemoteRepository,
    private readonly packs: DecodedPack[] = [],
  ) {}

  /** Fetches those directories and files that are not here yet. @throws RemoteFailure */
  load(ids: Iterable<string>): Promise<void> {
    return this.fetchMissing(ids, {});
  }

  /**
   * Fetches those commits that are not here yet, without their ancestors but with their root directories, and
   * other directories at the same time. Asked for in one request, these would bring everything right below them too.
   * @throws RemoteFailure
   */
  async loadCommits(ids: readonly string[], treeIds: readonly string[] = []): Promise<void> {
    await Promise.all([this.fetchMissing(ids, { single: true }), this.load(treeIds)]);
  }

  has(id: string): boolean {
    return this.packOf(id) !== undefined;
  }

  /** @throws RemoteFailure remote_unreadable when the server did not send it */
  commit(id: string): Commit {
    const commit = this.packOf(id)?.commits.get(id);
    if (commit === undefined) throw unreadable('object not sent');
    return commit;
  }

  /** @throws RemoteFailure remote_unreadable when the server did not send it, or something else under this id */
  read(id: string, type: 'tree' | 'blob'): Buffer {
    const pack = this.packOf(id);
    const content = pack?.typeOf(id) === type ? pack.read(id) : undefined;
    if (content === undefined) throw unreadable('object not sent');
    return content;
  }

  private async fetchMissing(ids: Iterable<string>, options: { single?: boolean }): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.has(id));
    for (let start = 0; start < missing.length; start += WANTS_MAX) {
      const wants = missing.slice(start, start + WANTS_MAX);
      const { pack } = await this.remote.fetch({ wants, haves: [], done: true, ...options });
      if (pack === undefined) throw unreadable('no pack although asked for it');
      this.packs.push(pack);
    }
  }

  private packOf(id: string): DecodedPack | undefined {
    return this.packs.find((pack) => pack.typeOf(id) !== undefined);
  }
}

import { type FileChanges, GitRemote } from './git-remote';

const WORDS = 'one two three four five six seven eight nine ten eleven twelve';
const LINES = WORDS.split(' ');

/** Twelve lines, some of them changed. */
export const twelveLines = (changes: Record<string, string> = {}): string =>
  LINES.map((line) => `${changes[line] ?? line}\n`).join('');

/** A repository with a branch `topic` that is to land on `main`, soundly or not. */
export class LandingScene {
  private constructor(readonly remote: GitRemote) {}

  static async create(): Promise<LandingScene> {
    const remote = await GitRemote.create();
    await remote.commit({
      'app.txt': twelveLines(),
      'lib/util.txt': twelveLines(),
      'CHANGES.md': '# Changes\n',
    });
    return new LandingScene(remote);
  }

  /** Makes the branch `topic` at the tip of `main`, with one commit for each of these changes. */
  async topic(...commits: FileChanges[]): Promise<void> {
    await this.remote.switch('topic', 'main');
    for (const changes of commits) await this.remote.commit(changes);
    await this.remote.switch('main');
  }

  /** Lands the topic as one commit on `main`, together with `more`. */
  async squash(more: FileChanges = {}): Promise<string> {
    await this.remote.git('merge', '--quiet', '--squash', 'topic');
    return this.remote.commit(more);
  }

  /** A commit on `main` with the content of any tree, as a careless script makes it. */
  async landTree(tree: string): Promise<string> {
    const commit = await this.remote.git('commit-tree', `${tree}^{tree}`, '-p', 'main', '-m', 'landed');
    await this.remote.git('reset', '--quiet', '--hard', commit);
    return commit;
  }

  /** Lands on `main` the tree of a squash that was made onto `base` instead of the tip of `main`. */
  async landOnWrongBase(base: string): Promise<string> {
    return this.landTree((await this.remote.mergeTree(base, 'topic')).tree);
  }
}

import type { FileChange, FileChanges } from './git-remote';
import { LandingScene, twelveLines } from './landing-scene';

const FIX = 'check the sender\ncheck the amount\ncheck the receiver';

/** The twelve lines with the fix of another review behind the third. */
export const fixedLines = (changes: Record<string, string> = {}): string =>
  twelveLines({ ...changes, three: `${changes['three'] ?? 'three'}\n${FIX}` });

/** A topic that begins before a fix lands on the target, and takes it back. */
export class UndoneScene {
  private constructor(private readonly scene: LandingScene) {}

  static async create(): Promise<UndoneScene> {
    return new UndoneScene(await LandingScene.create());
  }

  get remote() {
    return this.scene.remote;
  }

  readonly git = (...args: string[]): Promise<string> => this.remote.git(...args);
  readonly mergeMain = (...args: string[]): Promise<string> =>
    this.git('merge', '--quiet', '--no-edit', ...args, 'main');

  topic = (...commits: FileChanges[]): Promise<void> => this.scene.topic(...commits);

  /** A topic with a file of its own, and a fix that lands. The topic is checked out. */
  async landFix(fix: FileChanges = { 'app.txt': fixedLines() }): Promise<void> {
    await this.topic({ other: 'mine\n' });
    await this.remote.commit(fix, 'fix');
    await this.remote.switch('topic');
  }

  /** Lands the topic as one commit. @returns its id */
  readonly land = async (): Promise<string> => {
    await this.remote.switch('main');
    return this.remote.squash('topic');
  };

  /** A landing changes a file, then the topic merges the target and brings back the file before. */
  async restore(
    path: string,
    { before, after, back = before }: { before: FileChange; after: FileChange; back?: FileChange },
  ): Promise<void> {
    await this.remote.commit({ [path]: before });
    await this.landFix({ [path]: after });
    await this.mergeMain();
    await this.remote.commit({ [path]: back }, 'snapshot');
  }
}

import { type ApiClient } from '@plat/api-client';
import { commitOf } from '../checkout/checkout';
import { type Git, isOutputTooLarge } from '../git/git';
import type { LedgerComparison } from '../landings/check-ledger';
import type { LedgerRow } from '../landings/ledger-row';
import type { TargetCommit } from '../landings/target-history';
import { textsOfReview } from '../undone/said-by-review';

/** Most commits of a source whose messages are read. */
const MESSAGES_MAX = 256;

/** Knows what landings came from, and in which words. */
export class LandingSources {
  private readonly rows: ReadonlyMap<string, LedgerRow>;
  private readonly sourceTips: ReadonlyMap<number, string | undefined>;
  private readonly commits: ReadonlyMap<string, TargetCommit>;
  private readonly git: Git;

  constructor(
    { check, history, sealed }: LedgerComparison,
    /** Absent if the platform is not asked. */
    private readonly api: ApiClient | undefined,
  ) {
    this.git = history.git;
    this.rows = new Map(check.rows.flatMap((row) => row.commits.map((commitId) => [commitId, row] as const)));
    this.sourceTips = new Map(sealed.landings.map(({ index, statement }) => [index, statement.sourceTip]));
    this.commits = new Map(history.commits.map((commit) => [commit.commitId, commit]));
  }

  /** The row of the landing that has a commit of the branch. */
  rowOf(commitId: string): LedgerRow | undefined {
    return this.rows.get(commitId);
  }

  /** The reviewed commit of a landing, or the one that it merged; the landing's own if the clone has neither. */
  async sourceOf(commitId: string): Promise<string> {
    const tip = this.sourceTips.get(this.rowOf(commitId)?.index ?? -1);
    const [, merged] = this.commits.get(commitId)?.parentIds ?? [];
    if (tip !== undefined && (await commitOf(this.git, tip)) !== undefined) return tip;
    return merged ?? commitId;
  }

  /** The texts in which a landing says what it reverts: its message, those of its source, its review's name and comments. */
  async textsOf(commitId: string): Promise<string[]> {
    const source = await this.sourceOf(commitId);
    const own = await this.messages('--no-walk', commitId);
    const ofSource = source === commitId ? '' : await this.messages(`${commitId}^1..${source}`);
    const { reviewId, name = '' } = this.rowOf(commitId) ?? {};
    const ofReview = this.api && reviewId ? await textsOfReview(this.api, { reviewId, name }) : [name];
    return [own, ofSource, ...ofReview];
  }

  /** None if they are longer than is read of git. */
  private messages(...revisions: string[]): Promise<string> {
    const format = ['--format=%B', '--no-show-signature', '--no-notes'];
    const args = ['log', `--max-count=${MESSAGES_MAX}`, ...format, ...revisions, '--'];
    return this.git.run(args).catch((error: unknown) => {
      if (isOutputTooLarge(error)) return '';
      throw error;
    });
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeReceipt } from '@plat/api-client';
import { type Git, gitIn } from '../git/git';
import { compareContent } from '../receipts/compare-content';
import { compareLanded } from '../receipts/landed-commits';
import { mergeAgain } from '../receipts/merge-again';
import type { MergedAgain } from '../receipts/merged-again';
import { GateCheckout } from './gate-checkout';
import type { Machine } from './plat-process';

/** A checkout in which the branch `part` is the source, and `main` the target. */
export class LandedReview {
  private constructor(
    private readonly home: string,
    readonly checkout: GateCheckout,
  ) {}

  static async make(): Promise<LandedReview> {
    const home = await mkdtemp(join(tmpdir(), 'plat-landing-'));
    return new LandedReview(home, await GateCheckout.create({ home } as Machine));
  }

  remove(): Promise<void> {
    return rm(this.home, { recursive: true });
  }

  git(...args: string[]): Promise<string> {
    return this.checkout.git(...args);
  }

  hash(revision: string): Promise<string> {
    return this.git('rev-parse', revision);
  }

  commit(files: Record<string, string>): Promise<string> {
    return this.checkout.commit(files, 'Commit');
  }

  /** Commits to the source, and returns to the target. */
  async commitToSource(files: Record<string, string>): Promise<string> {
    await this.git('switch', '--quiet', 'part');
    const commit = await this.commit(files);
    await this.git('switch', '--quiet', 'main');
    return commit;
  }

  async pick(...commits: string[]): Promise<string> {
    await this.git('cherry-pick', ...commits);
    return this.hash('HEAD');
  }

  async squash(branch: string): Promise<string> {
    await this.git('merge', '--quiet', '--squash', branch);
    return this.commit({});
  }

  async without(path: string): Promise<string> {
    await this.git('rm', '--quiet', path);
    return this.commit({});
  }

  /** Puts a commit of a tree and parents of one's choice on top of the target. */
  async put(tree: string, ...parents: string[]): Promise<string> {
    const named = parents.flatMap((parent) => ['-p', parent]);
    const commit = await this.git('commit-tree', `${tree}^{tree}`, ...named, '-m', 'Put');
    await this.git('reset', '--quiet', '--hard', commit);
    return commit;
  }

  /** git's verdict on the target's tip as the landing of the source, unless the facts name another commit. */
  async judge(
    facts: Partial<MergeReceipt> = {},
    git: Git = gitIn(this.checkout.folder),
  ): Promise<MergedAgain> {
    const [targetTip, branchTip] = [await this.hash('main'), await this.hash('part')];
    const receipt = { commitId: targetTip, sourceTip: branchTip, ...facts } as MergeReceipt;
    return mergeAgain(git, receipt, { targetTip, branchTip });
  }

  async verdict(facts?: Partial<MergeReceipt>): Promise<MergedAgain['verdict']> {
    return (await this.judge(facts)).verdict;
  }

  /** How the checks of the landed commit and the content end. */
  async outcome(facts: Partial<MergeReceipt>): Promise<'CONFIRMED' | 'REFUTED' | 'NOT_CONFIRMED'> {
    const [targetTip, sourceTip] = [await this.hash('main'), await this.hash('part')];
    const receipt = { commitId: targetTip, sourceTip, ...facts } as MergeReceipt;
    try {
      await compareLanded({ git: gitIn(this.checkout.folder), targetTip }, receipt);
      compareContent(receipt, await this.judge(facts));
      return 'CONFIRMED';
    } catch (error) {
      return (error as { code?: string }).code === 'UNDECIDED' ? 'NOT_CONFIRMED' : 'REFUTED';
    }
  }
}

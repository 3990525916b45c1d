import { git, GitCommandFailed } from '@plat/testing';

/**
 * The git command's result for two branches.
 * `ancestor`: the source tip is in the target's history. `carried`: merging the source into some commit of the target's
 * first-parent chain that descends from a merge base changes nothing. `lacking`: there is no such commit. `empty`: the
 * source branch adds nothing.
 */
export type Truth = 'ancestor' | 'carried' | 'lacking' | 'empty' | 'unrelated';

type Relation = 'ancestor' | 'empty' | 'unrelated' | 'diverged';

interface Pair {
  source: string;
  target: string;
}

/**
 * Asks git itself, by merging, and shares no rule with the verifier.
 * `git merge-tree --stdin` makes all merges of a repository in one process.
 */
export class Oracle {
  constructor(private readonly directory: string) {}

  /** Conditions A2 and A3. */
  async queue(target: string, commitId: string, anchorId: string | undefined): Promise<string> {
    if (!(await this.isAncestor(commitId, target))) return 'commit_not_on_target';
    const gated = anchorId === undefined || (await this.isAncestor(anchorId, commitId));
    return gated ? 'verified' : 'gated_tip_lost';
  }

  /** @param pairs full names of source and target */
  async histories(pairs: readonly Pair[]): Promise<Truth[]> {
    const sourceTips = await this.idsOf(pairs.map(({ source }) => source));
    const bases = await inTurn(pairs, ({ source, target }) =>
      this.rows('merge-base', '--all', source, target),
    );
    const relations = await this.relations(pairs, sourceTips, bases);
    const cases = await inTurn(pairs, async ({ source, target }, index) => {
      const relation = relations[index]!;
      const candidates =
        relation === 'diverged' ? await this.chainSince(bases[index]!, { source, target }) : [];
      return { relation, source, candidates };
    });
    const merges = cases.flatMap(({ candidates, source }) =>
      candidates.map((candidate) => ({ candidate, source })),
    );
    const unchanged = await this.changeNothing(merges);
    let next = 0;
    return cases.map(({ relation, candidates }): Truth => {
      const isCarried = candidates.some((_, place) => unchanged[next + place]);
      next += candidates.length;
      if (relation !== 'diverged') return relation;
      return isCarried ? 'carried' : 'lacking';
    });
  }

  /**
   * A commit that the target had before the merge base is no landing: the source may have reverted its own merged
   * change.
   */
  private async chainSince(bases: readonly string[], { source, target }: Pair): Promise<string[]> {
    const chain = await this.rows('rev-list', '--first-parent', target, `^${source}`);
    const since = await this.rows('rev-list', '--ancestry-path', target, ...bases.map((base) => `^${base}`));
    return chain.filter((commit) => since.includes(commit));
  }

  private async relations(pairs: readonly Pair[], sourceTips: readonly string[], bases: readonly string[][]) {
    const sourceTrees = await this.idsOf(pairs.map(({ source }) => `${source}^{tree}`));
    const baseTrees = await this.idsOf(bases.flat().map((base) => `${base}^{tree}`));
    let next = 0;
    return bases.map((own, index): Relation => {
      const trees = baseTrees.slice(next, (next += own.length));
      if (own.length === 0) return 'unrelated';
      if (own.includes(sourceTips[index]!)) return 'ancestor';
      return trees.includes(sourceTrees[index]!) ? 'empty' : 'diverged';
    });
  }

  /** For each merge, whether it is clean and equals the candidate's own content. */
  private async changeNothing(merges: readonly { candidate: string; source: string }[]): Promise<boolean[]> {
    if (merges.length === 0) return [];
    const results = await this.ask(
      ['merge-tree', '--stdin', '--no-messages', '--name-only', '--allow-unrelated-histories'],
      merges.map(({ candidate, source }) => `${candidate} ${source}\n`).join(''),
    );
    const own = await this.idsOf(merges.map(({ candidate }) => `${candidate}^{tree}`));
    const merged = readMerges(results);
    if (merged.length !== merges.length) throw new Error('git answered another number of merges');
    return merged.map(({ clean, treeId }, index) => clean && treeId === own[index]);
  }

  private async isAncestor(older: string, newer: string): Promise<boolean> {
    try {
      await this.git('merge-base', '--is-ancestor', older, newer);
      return true;
    } catch (error) {
      if (error instanceof GitCommandFailed && error.exitCode === 1) return false;
      throw error;
    }
  }

  private async rows(...args: string[]): Promise<string[]> {
    try {
      return (await this.git(...args)).split('\n').filter((row) => row !== '');
    } catch (error) {
      // No merge base.
      if (error instanceof GitCommandFailed && error.exitCode === 1) return [];
      throw error;
    }
  }

  private async idsOf(names: readonly string[]): Promise<string[]> {
    const found = await this.ask(
      ['cat-file', '--batch-check=%(objectname)'],
      names.map((name) => `${name}\n`).join(''),
    );
    return found.split('\n');
  }

  private git(...args: string[]): Promise<string> {
    return git(this.directory, args);
  }

  private ask(args: string[], input: string): Promise<string> {
    return git(this.directory, args, { input });
  }
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  each: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) results.push(await each(item, index));
  return results;
}

/** Parses the results. Each is `1` or `0`, the tree, the names in conflict if there are any, and an empty field. */
function readMerges(output: string): { clean: boolean; treeId: string }[] {
  const fields = output.split('\0');
  const merges = [];
  for (let next = 0; next + 1 < fields.length; next += 1) {
    const [status, treeId = ''] = fields.slice(next, next + 2);
    merges.push({ clean: status === '1', treeId });
    next = fields.indexOf('', next);
  }
  return merges;
}

import { git } from '@plat/testing';

/** A pull request that a repository merged, by the commits of its default branch. Ids are 40 hex digits. */
export interface MergedPull {
  number: number;
  how: 'squash' | 'merge';
  /** The reviewed tip: the tip of `refs/pull/<number>/head`, or the merged commit. */
  source: string;
  /** The commit that landed it. */
  landed: string;
  /** The landed commit's first parent. */
  parent: string;
  /** A commit of the default branch `LATER_COMMITS` first parents after it, or the branch's tip. */
  later: string;
}

/** Distance in commits at which the landing is asked for again. */
const LATER_COMMITS = 200;

const MERGE_SUBJECT = /^Merge pull request #(\d+) /;
const SQUASH_SUBJECT = /\(#(\d+)\)$/;

/**
 * The merged pull requests along the first parents of HEAD, newest first, whose reviewed commits are in the repository:
 * a bare clone has them if `refs/pull/*` was fetched too, and merge commits include them.
 */
export async function listMergedPulls(directory: string): Promise<MergedPull[]> {
  const heads = await pullHeads(directory);
  const rows = (await git(directory, ['log', '--first-parent', '--format=%H %P%x09%s', 'HEAD'])).split('\n');
  const chain = rows.map((row) => {
    const [ids = '', subject = ''] = row.split('\t');
    const [id = '', ...parents] = ids.split(' ');
    return { id, parents, subject };
  });
  return chain.flatMap(({ id, parents: [parent, merged, ...others], subject }, index) => {
    const number = Number((merged ? MERGE_SUBJECT : SQUASH_SUBJECT).exec(subject)?.[1] ?? NaN);
    const source = merged ?? heads.get(number);
    if (parent === undefined || source === undefined || others.length > 0) return [];
    if (Number.isNaN(number)) return [];
    const later = chain[Math.max(0, index - LATER_COMMITS)]!.id;
    return [{ number, how: merged ? 'merge' : 'squash', source, landed: id, parent, later } as const];
  });
}

async function pullHeads(directory: string): Promise<Map<number, string>> {
  const rows = await git(directory, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/pull']);
  return new Map(
    rows.split('\n').flatMap((row): [number, string][] => {
      const [id = '', name = ''] = row.split(' ');
      const number = /^refs\/pull\/(\d+)\/head$/.exec(name)?.[1];
      return number === undefined ? [] : [[Number(number), id]];
    }),
  );
}

import { type Git, isOutputTooLarge } from '../git/git';
import { isSigning } from '../git/signing';
import { isOrdered, requireCrashOfSource } from './malformed-tree';
import { findMergeAttributes, type MergeAttribute } from './merge-attributes';
import { mergeByRecipe } from './merge-by-recipe';
import { findTooManyPatterns } from './pattern-files';

/** Why a source is not in the merge. */
export type SkipReason =
  /** origin has no such branch. */
  | 'missing'
  /** It conflicts with the target, or with a source before it; or the `merge` attribute of a file asks for a driver. */
  | 'conflict'
  /** It adds nothing. */
  | 'empty'
  /** It shares no history with the target. */
  | 'unrelated'
  /** It has a submodule that cannot be checked out, such as one at a commit that the submodule's remote lacks. */
  | 'submodule'
  /** It has files that git reports as changed once they are checked out, by their attributes. */
  | 'unstable'
  /** It has files that cannot be checked out, such as one whose name is too long. */
  | 'unusable'
  /** It would leave a project's file that no later gate can read. */
  | 'project-file';

/** The reason why there is no squash merge. */
export interface Skip {
  reason: SkipReason;
  /** The files that conflict, are unstable, or have the same name as others on this machine; the submodule, or `.gitmodules`, that cannot be checked out. */
  files?: string[];
  /** The obstacles that keep the source from being checked out, or the attributes that make a conflict; sentences. */
  detail?: string;
}

export interface SquashCommit {
  tree: string;
  onto: string;
  /** `commit.gpgSign` of the user's settings, which git applies at `git commit` only. */
  signed: boolean;
}

/** The message is read from stdin. */
export function commitArguments({ tree, onto, signed }: SquashCommit): string[] {
  return ['commit-tree', ...(signed ? ['-S'] : []), '-p', onto, '-F', '-', tree];
}

export interface Squash {
  /** The commit onto which it is merged. */
  onto: string;
  /** Tip of the source. */
  source: string;
  message: string;
}

/**
 * Makes the squash commit of a source from the two commits alone, by the recipe; index, files and HEAD stay as they are.
 * Rule G5.
 *
 * @returns the squash commit, or the reason why there is none
 * @throws Failure GIT_TOO_OLD, GIT_FAILED
 */
export async function squashSource(git: Git, { onto, source, message }: Squash): Promise<string | Skip> {
  const merged = await mergeByRecipe(git, { onto, source }).catch((error: unknown) =>
    requireCrashOfSource(git, onto, error),
  );
  if (merged.outcome === 'malformed') return MALFORMED;
  if (merged.outcome === 'unrelated') return { reason: 'unrelated' };
  if (merged.outcome === 'oversized') return { reason: 'unusable', detail: OVERSIZED };
  // This comes after the merge, which refuses an oversized source: git would compare its trees for minutes.
  if (!(await isOrdered(git, source)) && (await isOrdered(git, onto))) return MALFORMED;
  const patterns = await findTooManyPatterns(git, { onto, source });
  if (patterns) return patterns;
  const bothChanged = merged.outcome === 'conflict' ? merged.files : merged.joined;
  const attributes = await findMergeAttributes(git, { onto, source, files: bothChanged });
  if (merged.outcome === 'conflict') {
    return { reason: 'conflict', ...attributeConflict(attributes), files: merged.files };
  }
  if (attributes.length > 0) return { reason: 'conflict', ...attributeConflict(attributes) };
  const { tree } = merged;
  const before = (await git.run(['rev-parse', `${onto}^{tree}`])).trim();
  if (before === tree) return { reason: 'empty' };
  const text = await git.run(['stripspace'], message);
  const signed = await isSigning(git);
  return (await git.run(commitArguments({ tree, onto, signed }), text)).trim();
}

const OVERSIZED = 'it has far more files than the target, or folders that are too deep for git';

/** git would take back a change of the target, or end by an assertion of its own. */
const MALFORMED: Skip = { reason: 'unusable', detail: 'its folders are not as git writes them' };

/** The squash, or the reason to skip its source if git prints more about it than is read. */
export function unlessTooLarge(squash: Promise<string | Skip>): Promise<string | Skip> {
  return squash.catch((error: unknown) => {
    if (!isOutputTooLarge(error)) throw error;
    return { reason: 'unusable', detail: OVERSIZED };
  });
}

/** Explains a conflict to a person whose repository wants these files merged in another way. */
function attributeConflict(attributes: readonly MergeAttribute[]): Pick<Skip, 'files' | 'detail'> {
  if (attributes.length === 0) return {};
  const files = [...new Set(attributes.map(({ file }) => file))];
  const named = files.map((file) => {
    const own = attributes.filter((each) => each.file === file);
    return `${file} has ${[...new Set(own.map(({ attribute }) => attribute))].join(' and ')}`;
  });
  return {
    files,
    detail: `Both sides changed files for which .gitattributes asks for a merge of their own (${named.join('; ')}), and the queue merges without attributes. Merge the target into the source branch, and push that.`,
  };
}

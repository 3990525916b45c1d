import { MERGE_RECIPE } from '@plat/contracts/core';
import { inBareRepository } from '../git/bare-repository';
import { type Git, type GitAnswer, gitFailure } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { isOversized } from './tree-size';

/** The merge of a source into a commit, by the recipe. */
export type RecipeMerge =
  | {
      outcome: 'clean';
      tree: string;
      /** The files in which git joined changes of both sides. */
      joined: string[];
    }
  | {
      outcome: 'conflict';
      /** The files have git's markers, with the hashes of both commits. */
      tree: string;
      files: string[];
      conflicts: MergeMessage[];
    }
  /** The two share no history. */
  | { outcome: 'unrelated' }
  /** The source has more files than a merge is made of. */
  | { outcome: 'oversized' };

/** A message of git about a merge. */
export interface MergeMessage {
  /** Such as `CONFLICT (contents)`. */
  kind: string;
  paths: string[];
  text: string;
}

/** git's exit code for a merge with conflicts. */
const CONFLICT = 1;
/** git's exit code for arguments that it does not know. */
const USAGE = 129;

/** The settings of the recipe. Those that a git does not read yet are defaults of a later one. */
const SETTINGS = [
  ['merge.renames', 'true'],
  ['diff.renames', 'true'],
  ['merge.renameLimit', MERGE_RECIPE.renameLimit],
  ['diff.renameLimit', MERGE_RECIPE.renameLimit],
  ['merge.directoryRenames', MERGE_RECIPE.directoryRenames],
  ['merge.renormalize', MERGE_RECIPE.renormalize],
  ['merge.conflictStyle', 'merge'],
  ['diff.algorithm', MERGE_RECIPE.diffAlgorithm],
  // git reads this file of a person's home even if no setting names it.
  ['core.attributesFile', '/dev/null'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** Merges without the checkout's files, so that local changes neither block the merge nor get into it. */
export function mergeArguments(onto: string, source: string): string[] {
  return [...SETTINGS, 'merge-tree', '--write-tree', '--name-only', '--messages', '-z', onto, source];
}

/**
 * Merges a source into a commit. The result depends on the two commits alone: not on the checkout, the attributes of a
 * tree or a folder, or any setting. Rule G5; docs/decisions/0034.
 *
 * @param revisions names or hashes of the two commits
 * @throws Failure GIT_TOO_OLD, GIT_FAILED
 */
export async function mergeByRecipe(
  git: Git,
  revisions: { onto: string; source: string },
): Promise<RecipeMerge> {
  const [onto, source] = [await hashOf(git, revisions.onto), await hashOf(git, revisions.source)];
  if (await isOversized(git, { onto, source })) return { outcome: 'oversized' };
  const args = mergeArguments(onto, source);
  return inBareRepository(git, async (bare) => {
    const first = readAnswer(await bare.try(args));
    if (!('code' in first)) return first;
    if (first.code === USAGE) throw tooOld();
    // In a partial clone only its own git can fetch the missing files, which its merge does.
    if (!(await isPartial(git))) throw gitFailure(args, first);
    await git.try(args);
    const again = readAnswer(await bare.try(args));
    if ('code' in again) throw gitFailure(args, again);
    return again;
  });
}

/** @returns git's answer itself, if it made no merge */
function readAnswer(answer: GitAnswer): RecipeMerge | GitAnswer {
  const { code, stdout, stderr } = answer;
  if (code !== 0 && code !== CONFLICT) {
    return stderr.includes('unrelated histories') ? { outcome: 'unrelated' } : answer;
  }
  const [tree = '', ...fields] = stdout.split('\0');
  const end = fields.indexOf('');
  const messages = readMessages(fields.slice(end + 1));
  if (code === CONFLICT) {
    const conflicts = messages.filter(({ kind }) => kind.startsWith('CONFLICT'));
    return { outcome: 'conflict', tree, files: fields.slice(0, end), conflicts };
  }
  const joined = messages.filter(({ kind }) => kind === 'Auto-merging').flatMap(({ paths }) => paths);
  return { outcome: 'clean', tree, joined: [...new Set(joined)] };
}

/** git's messages: each a count of paths, these paths, the kind and the text. */
function readMessages(fields: readonly string[]): MergeMessage[] {
  const messages: MergeMessage[] = [];
  for (let at = 0; at < fields.length;) {
    const count = Number(fields[at]);
    const [kind, text] = fields.slice(at + 1 + count, at + 3 + count);
    if (kind === undefined || text === undefined) break;
    messages.push({ kind, paths: fields.slice(at + 1, at + 1 + count), text });
    at += count + 3;
  }
  return messages;
}

async function hashOf(git: Git, revision: string): Promise<string> {
  return (await git.run(['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`])).trim();
}

/** Whether the repository may lack objects, which git fetches when it reads them. */
export async function isPartial(git: Git): Promise<boolean> {
  const asked = ['config', '--get-regexp', '^(remote\\..*\\.promisor|extensions\\.partialclone)$'];
  return (await git.try(asked)).code === 0;
}

const tooOld = (): Failure =>
  new Failure('GIT_TOO_OLD', 'This git cannot merge without a work tree.', {
    next: nextStep('install git', [MERGE_RECIPE.gitVersionMin], 'or newer, then repeat the command'),
  });

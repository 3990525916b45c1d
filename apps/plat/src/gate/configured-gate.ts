import { commitOf, currentBranch } from '../checkout/checkout';
import { mergeRef, ontoRef } from '../checkout/own-merge';
import { unreadable } from '../config/config-document';
import { type GateBlock, readGateBlock } from '../config/gate-block';
import type { Git } from '../git/git';

/** Place of the project's own file in its repository. Rule H3. */
export const PROJECT_FILE = '.plat/config.yaml';
/** Longest file that is read. */
const BYTES_MAX = 1024 * 1024;

/** The command that the project's file names as its gate. @throws Failure as `readGateOf` */
export async function readConfiguredGate(git: Git, targetCommit: string): Promise<string | undefined> {
  return (await readGateOf(git, targetCommit)).command;
}

/**
 * The block `gate` of the project's file, as a commit has it. The commit is one of the target: a source must not decide how
 * it is tested.
 *
 * @throws Failure CONFIG_UNREADABLE, CONFIG_INVALID
 */
export async function readGateOf(git: Git, targetCommit: string): Promise<GateBlock> {
  const shown = `${PROJECT_FILE} of ${targetCommit}`;
  const listed = await git.run(['ls-tree', '--long', '--full-tree', targetCommit, '--', PROJECT_FILE]);
  const [, mode = '', type, id = '', size] = /^(\d+) (\w+) (\w+) +(\S+)\t/.exec(listed) ?? [];
  if (id === '') return {};
  if (type !== 'blob' || !mode.startsWith('100')) throw unreadable(shown, 'it is no file');
  if (Number(size) > BYTES_MAX) throw unreadable(shown, `it has more than ${BYTES_MAX} bytes`);
  return readGateBlock(shown, await git.run(['cat-file', 'blob', id]));
}

/**
 * The commit of the target by which a gate by hand goes: the one below the merge that gate-merge made and that is checked
 * out, otherwise origin's default branch as it was fetched last. Undefined if neither is known.
 */
export async function targetOfCheckout(git: Git): Promise<string | undefined> {
  const branch = await currentBranch(git);
  const isMerge =
    branch !== undefined && (await commitOf(git, mergeRef(branch))) === (await commitOf(git, 'HEAD'));
  return isMerge ? commitOf(git, ontoRef(branch)) : commitOf(git, 'refs/remotes/origin/HEAD');
}

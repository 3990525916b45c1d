import { isBranchName } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';

/** @param flag names the input in the message. @throws Failure INVALID_BRANCH */
export function requireBranchName(branch: string, flag: string): void {
  if (isBranchName(branch)) return;
  throw new Failure('INVALID_BRANCH', `${flag} ${JSON.stringify(branch)} is not a branch name.`, {
    details: { branch },
    next: 'give the name as git branch lists it, such as feature/42-rate-limits',
  });
}

/**
 * Checks the branches of one gate: well-formed, each given once, the target not among the sources.
 *
 * @throws Failure INVALID_BRANCH, DUPLICATE_SOURCE
 */
export function requireGateBranches(sources: readonly string[], target: string): void {
  requireBranchName(target, '--target-branch');
  for (const source of sources) requireBranchName(source, '--source');
  const twice = sources.find((source, at) => source === target || sources.indexOf(source) !== at);
  if (twice === undefined) return;
  const why = twice === target ? 'is the target branch itself' : 'is given twice';
  throw new Failure('DUPLICATE_SOURCE', `--source ${twice} ${why}.`, { details: { branch: twice } });
}

/** Longest part of a branch's name between slashes: git keeps it as the name of a file, and its lock has `.lock` behind it. */
const PART_BYTES_MAX = 255 - '.lock'.length;

/** Why a source cannot be gated onto a target by its name alone: a sentence. Undefined if it can. */
export function findBranchFault(source: string, target: string): string | undefined {
  if (!isBranchName(source)) return `${JSON.stringify(source)} is not a branch name.`;
  if (source === target) return `${source} is the target branch itself, and cannot be merged onto it.`;
  return source.split('/').some((part) => Buffer.byteLength(part) > PART_BYTES_MAX)
    ? `${source} has a part of more than ${PART_BYTES_MAX} bytes, so git cannot fetch it.`
    : undefined;
}

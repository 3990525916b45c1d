import { type NextStep, nextStep } from '../terminal/next-step';
import type { DriveContext } from './drive-context';

/** A drive whose command is printed as a next step. */
export type PrintedDrive = Pick<DriveContext, 'targetBranch' | 'repeatedFlags'>;

/** The command of this drive, as a person types it again: with its own gate, to the same branch. */
export function driveCommand(
  { targetBranch, repeatedFlags = [] }: PrintedDrive,
  ...more: string[]
): NextStep {
  return nextStep(['plat', 'drive', '--target-branch', targetBranch, ...repeatedFlags, ...more]);
}

/** The command that puts the review of an unfinished drive back. It runs no gate. */
export function giveUpCommand({ targetBranch }: Pick<DriveContext, 'targetBranch'>): NextStep {
  return driveCommand({ targetBranch }, '--give-up');
}

import { type NextStep, nextStep } from '../terminal/next-step';

/** The command of a drive onto the branch, as a person types it. */
export function driveCommand(targetBranch: string, ...flags: string[]): NextStep {
  return nextStep(['plat', 'drive', '--target-branch', targetBranch, ...flags]);
}

import { shellQuote } from '../terminal/shell-quote';

/** The command of a drive onto the branch, as a person types it. */
export function driveCommand(targetBranch: string, ...flags: string[]): string {
  return shellQuote(['plat', 'drive', '--target-branch', targetBranch, ...flags]);
}

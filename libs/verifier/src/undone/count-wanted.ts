import type { LineSteps } from '../line-steps';

const NEWLINE = 0x0a;

/**
 * Counts how often a file has each of some lines. A file of any size and content takes no memory for its other lines.
 *
 * @throws RemoteFailure remote_too_large
 */
export function countWanted(
  content: Buffer,
  wanted: { has(line: string): boolean },
  steps: LineSteps,
): Map<string, number> {
  const counts = new Map<string, number>();
  let lines = 0;
  for (let at = 0; at < content.length; lines += 1) {
    const newline = content.indexOf(NEWLINE, at);
    const end = newline < 0 ? content.length : newline + 1;
    const line = content.toString('latin1', at, end);
    if (wanted.has(line)) counts.set(line, (counts.get(line) ?? 0) + 1);
    at = end;
  }
  steps.spend(lines);
  return counts;
}

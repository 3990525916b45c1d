import { gateRef } from './gate-refs';
import type { Git } from './git';

const CARRIED = [
  /^Closes #\d+(?:,? +(?:and +)?(?:closes +)?#\d+)*\.?$/i,
  /^Reproduces:\s*\S/i,
  /^Regression-Test[A-Za-z0-9-]*:\s*\S/i,
];

/**
 * The lines of commit bodies that a squash commit keeps beneath the review's name: closing issues, reproductions
 * and regression tests, each once, in the order of their first appearance.
 * Spec: Client, Gate drive rules, rule 5; Decision G5.
 */
export function carriedLines(bodies: readonly string[]): string[] {
  const lines = bodies.flatMap((body) => body.split('\n')).map((line) => line.trim());
  return [...new Set(lines.filter((line) => CARRIED.some((pattern) => pattern.test(line))))];
}

/** The carried lines of every commit body in target..source, the oldest commit first. */
export async function readCarriedLines(git: Git, target: string, source: string): Promise<string[]> {
  const range = `${gateRef(target)}..${gateRef(source)}`;
  const bodies = await git.run(['log', '--reverse', '--format=%b%x00', range]);
  return carriedLines(bodies.split('\0'));
}

import type { Git } from './git';

const CARRIED = [
  /^Closes #\d+(?:,? +(?:and +)?(?:closes +)?#\d+)*\.?$/i,
  /^Reproduces:\s*\S/i,
  /^Regression-Test[A-Za-z0-9-]*:\s*\S/i,
];

/**
 * The lines of commit bodies that a squash commit keeps below the review's name: closing issues, reproductions and
 * regression tests, each once, in the order of their first appearance.
 * Spec: Client, Gate drive rules, rule 5; Decision G5.
 */
export function carriedLines(bodies: readonly string[]): string[] {
  const lines = bodies.flatMap((body) => body.split('\n')).map((line) => line.trim());
  return [...new Set(lines.filter((line) => CARRIED.some((pattern) => pattern.test(line))))];
}

/** The parts of a commit that its carried lines depend on. */
export interface CommitBody {
  commit: string;
  parents: readonly string[];
  body: string;
}

/** The given commits that the tip reaches, in their order. */
export function reachedFrom(tip: string, commits: readonly CommitBody[]): CommitBody[] {
  const known = new Map(commits.map((each) => [each.commit, each]));
  const reached = new Set<string>();
  const open = [tip];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const found = known.get(at);
    if (!found || reached.has(at)) continue;
    reached.add(at);
    open.push(...found.parents);
  }
  return commits.filter(({ commit }) => reached.has(commit));
}

const FIELD = '\u001f';
const RECORD = '\0';

/**
 * The commits of every target..source, the oldest first. One git process reads all sources, because starting one for
 * each takes longer.
 */
export async function readCommitBodies(
  git: Git,
  target: string,
  sources: readonly string[],
): Promise<CommitBody[]> {
  if (sources.length === 0) return [];
  const format = '--format=%H%x1f%P%x1f%b%x00';
  const listed = await git.run(['log', '--reverse', '--topo-order', format, `^${target}`, ...sources, '--']);
  const records = listed.split(RECORD).map((record) => record.trimStart().split(FIELD));
  return records
    .filter(([commit]) => commit !== '')
    .map(([commit = '', parents = '', ...body]) => ({
      commit,
      parents: parents.split(' '),
      body: body.join(FIELD),
    }));
}

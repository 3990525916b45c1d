import { type Git, isOutputTooLarge } from '../git/git';

/** The words by which forges close an issue, with or without a colon. */
const CLOSING = /(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?/;
/** An issue: `#1`, `GH-1`, `owner/repository#1`, or its address. */
const ISSUE = /(?:(?:[\w.-]+(?:\/[\w.-]+)+)?#\d+|GH-\d+|https?:\/\/[^\s/]+\/\S+\/issues\/\d+)/;
/** The separators that may stand between two issues of a line. */
const NEXT = /(?:,|\s+and|,\s*and)\s+/;

const LINES = [
  new RegExp(
    `^${CLOSING.source}\\s+${ISSUE.source}(?:${NEXT.source}(?:${CLOSING.source}\\s+)?${ISSUE.source})*\\.?$`,
    'i',
  ),
  /^Reproduces:\s*\S/i,
  /^Regression-Test[A-Za-z0-9-]*:\s*\S/i,
];

/** Who else made the change, and who vouches for it. git and forges read them in the last paragraph alone. */
const PEOPLE = [/^Co-authored-by:\s*\S/i, /^Signed-off-by:\s*\S/i];

/** Most lines of each kind that are carried, and the longest one: a commit that is too large cannot be verified after it was pushed. */
const LINES_MAX = 200;
const CHARACTERS_MAX = 1000;
/** Most characters of all messages that are read. A branch of one megabyte may have hundreds of megabytes of empty lines. */
const MESSAGES_MAX = 16 * 1024 * 1024;

/**
 * The lines of commit bodies that a squash commit keeps below the review's name, each once whatever its case, in the
 * order of their first appearance: closing issues, reproductions and regression tests, and then, after an empty line,
 * the people. Spec: Client, Gate drive rules, rule 5; Rule G5.
 */
export function carriedLines(bodies: readonly string[]): string[] {
  const lines = bodies.flatMap((body) => body.split('\n')).map((line) => line.trim());
  const [about, people] = [firstOf(lines, LINES), firstOf(lines, PEOPLE)];
  return about.length > 0 && people.length > 0 ? [...about, '', ...people] : [...about, ...people];
}

function firstOf(lines: readonly string[], patterns: readonly RegExp[]): string[] {
  const found = new Map<string, string>();
  const carried = lines.filter(
    (line) => line.length <= CHARACTERS_MAX && patterns.some((pattern) => pattern.test(line)),
  );
  for (const line of carried) {
    const key = line.toLowerCase();
    if (!found.has(key)) found.set(key, line);
  }
  return [...found.values()].slice(0, LINES_MAX);
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
    // One by one: a commit may name its parent more often than a function takes arguments.
    for (const parent of found.parents) open.push(parent);
  }
  return commits.filter(({ commit }) => reached.has(commit));
}

const FIELD = '\u001f';
const RECORD = '\0';

/**
 * The commits of every target..source, the oldest first. One git process reads all sources, because starting one for
 * each takes longer. Empty if their messages are too long to be read: no branch may keep its merge from being made so.
 */
export async function readCommitBodies(
  git: Git,
  target: string,
  sources: readonly string[],
): Promise<CommitBody[]> {
  if (sources.length === 0) return [];
  const format = '--format=%H%x1f%P%x1f%b%x00';
  const log = ['log', '--reverse', '--topo-order', format, `^${target}`, ...sources, '--'];
  const listed = await git.run(log).catch((error: unknown) => {
    if (!isOutputTooLarge(error)) throw error;
    return '';
  });
  if (listed.length > MESSAGES_MAX) return [];
  const records = listed.split(RECORD).map((record) => record.trimStart().split(FIELD));
  return records
    .filter(([commit]) => commit !== '')
    .map(([commit = '', parents = '', ...body]) => ({
      commit,
      parents: parents.split(' '),
      body: body.join(FIELD),
    }));
}

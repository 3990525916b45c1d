/** An earlier landing, as a review may name it. */
export interface NamedLanding {
  commitId: string;
  reviewId?: string | undefined;
  /** The review's name, or the commit's subject. */
  reviewName: string;
  /** The number of the review's issue. */
  issueRef?: string | undefined;
}

/** The texts in which a review says what it reverts. */
export interface Said {
  /** Its name, its comments, and the messages of its commits. */
  texts: readonly string[];
  /** The commits behind `This reverts commit`: ids, or their first digits. */
  revertedIds: readonly string[];
}

/** The number that a forge puts behind the subject of a squash. */
const FORGE_NUMBER = / \(#\d+\)$/;

/** A word of reverting, unless it is denied, and the rest of its line. "undo" alone is the name of a feature too. */
const REVERTS =
  /(?<!(?:\b(?:not|never|without|cannot|than|instead of|longer)|n['\u2019]t)\s+)\b(?:reverts?|reverting|undoes|undo(?=\s+(?:(?:the|review|commit)\s+)*(?:["#]|[0-9a-f]{7})))\b(?<rest>.*)/gi;
/** The first digits of a commit's id by which a review may name it. */
const COMMIT_DIGITS = 10;
/** A shorter name is a word of many sentences, so that it counts only in quotes. */
const NAME_LENGTH_MIN = 8;

/**
 * Whether a review says that it reverts a landing: by `This reverts commit <id>`, `Revert "<name>"`, or in one line a word of
 * reverting or undoing and behind it the name, the issue, or the id of the review or the commit.
 */
export function isSaidRevert(landing: NamedLanding, { texts, revertedIds }: Said): boolean {
  const { commitId, reviewId, reviewName, issueRef } = landing;
  if (revertedIds.some((id) => commitId.startsWith(id))) return true;
  const names = [reviewName, reviewName.replace(FORGE_NUMBER, '')].filter((name) => name !== '');
  const ids = [commitId.slice(0, COMMIT_DIGITS), reviewId].flatMap((id) => id ?? []);
  const issue = issueRef === undefined ? [] : [`#${issueRef}`];
  const lines = texts.flatMap((text) => text.split('\n'));
  return lines
    .flatMap((line) => [...line.matchAll(REVERTS)])
    .map(({ groups }) => groups?.['rest'] ?? '')
    .some(
      (rest) =>
        ids.some((id) => rest.includes(id)) ||
        issue.some((number) => hasWord(rest, number)) ||
        names.some((name) => isNamed(rest, name)),
    );
}

/**
 * In a line with quotes a name counts in quotes alone, because another name may begin with it. `Revert "Revert "Log""` lands
 * Log again, so that it names the revert alone.
 */
function isNamed(rest: string, name: string): boolean {
  const again = /^\s+"(Revert ".*")"/i.exec(rest)?.[1];
  if (again !== undefined) return again === name;
  if (rest.includes(`"${name}"`)) return true;
  return !rest.includes('"') && name.length >= NAME_LENGTH_MIN && hasWord(rest, name);
}

/** Whether a line has a word, and no letter or digit stands before or behind it. */
function hasWord(line: string, word: string): boolean {
  const isPart = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    if (!isPart(line[at - 1]) && !isPart(line[at + word.length])) return true;
  }
  return false;
}

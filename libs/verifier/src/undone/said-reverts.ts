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

const REVERTS = /(?<!\b(?:not|never|n't)\s+)\b(?:reverts?|reverting|undoes|undo)\b/i;
/** The first digits of a commit's id by which a review may name it. */
const COMMIT_DIGITS = 10;
/** A shorter name is a word of many sentences, so that it counts only in quotes. */
const NAME_LENGTH_MIN = 8;

/**
 * Whether a review says that it reverts a landing: by `This reverts commit <id>`, `Revert "<name>"`, or in one line a word of
 * reverting or undoing with the name, the issue, or the id of the review or the commit.
 */
export function isSaidRevert(landing: NamedLanding, { texts, revertedIds }: Said): boolean {
  const { commitId, reviewId, reviewName, issueRef } = landing;
  if (revertedIds.some((id) => commitId.startsWith(id))) return true;
  const names = [reviewName, reviewName.replace(FORGE_NUMBER, '')].filter((name) => name !== '');
  const ids = [commitId.slice(0, COMMIT_DIGITS), reviewId].flatMap((id) => id ?? []);
  const issue = issueRef === undefined ? [] : [`#${issueRef}`];
  const lines = texts.flatMap((text) => text.split('\n'));
  return lines
    .filter((line) => REVERTS.test(line))
    .some(
      (line) =>
        ids.some((id) => line.includes(id)) ||
        issue.some((number) => hasWord(line, number)) ||
        names.some((name) => isNamed(line, name)),
    );
}

/** In a line with quotes a name counts in quotes alone, because another name may begin with it. */
function isNamed(line: string, name: string): boolean {
  if (line.includes(`"${name}"`)) return true;
  return !line.includes('"') && name.length >= NAME_LENGTH_MIN && hasWord(line, name);
}

/** Whether a line has a word, and no letter or digit stands before or behind it. */
function hasWord(line: string, word: string): boolean {
  const isPart = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    if (!isPart(line[at - 1]) && !isPart(line[at + word.length])) return true;
  }
  return false;
}

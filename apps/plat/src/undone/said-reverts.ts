import type { EarlierLanding } from './undone-report';

/** The texts in which a review says what it reverts. */
export interface Said {
  /** Its name, its comments, and the messages of its commits. */
  texts: readonly string[];
  /** The commits behind `This reverts commit`: ids, or their first digits. */
  revertedIds: readonly string[];
}

/** The number that a forge puts behind the subject of a squash. */
const FORGE_NUMBER = / \(#\d+\)$/;

/**
 * Whether a review says that it reverts a landing: by `This reverts commit <id>`, `Revert "<name>"`, or a word of reverting or
 * undoing next to the name, the id of the review or of the commit, in one line.
 */
export function isSaidRevert(landing: EarlierLanding, { texts, revertedIds }: Said): boolean {
  const { commitId, reviewId, reviewName } = landing;
  if (revertedIds.some((id) => commitId.startsWith(id))) return true;
  const plain = reviewName.replace(FORGE_NUMBER, '');
  const names = [plain, commitId.slice(0, 10), ...(reviewId === undefined ? [] : [reviewId])];
  const lines = texts.flatMap((text) => text.split('\n'));
  return lines.some((line) => {
    const isRevert = /\b(?:reverts?|reverting|undoes|undo)\b/i.test(line);
    return isRevert && names.some((name) => name.length > 0 && line.includes(name));
  });
}

/** Longest name of a review, in characters. Rule A9 names this and the following caps. */
export const NAME_LENGTH_MAX = 512;
export const BRANCH_LENGTH_MAX = 255;
export const REPOSITORY_LENGTH_MAX = 2048;
/** Longest reason or failure detail, in bytes of UTF-8. */
export const REASON_BYTES_MAX = 16 * 1024;

/** Whether the database can keep the text as it is: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}
/** Longest comment, in bytes of UTF-8. */
export const COMMENT_BYTES_MAX = 8 * 1024;
export const FILE_PATH_LENGTH_MAX = 4096;

const COMMIT_ID = /^[0-9a-f]{40}$/;

/** Whether the text is a full SHA-1 object name in lower case. Spec: API, Builds, rule 4. */
export function isCommitId(text: string): boolean {
  return text.length === 40 && COMMIT_ID.test(text);
}

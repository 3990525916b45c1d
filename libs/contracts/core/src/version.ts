const VERSION = /^[0-9]+[.][0-9]+[.][0-9]+(-[A-Za-z0-9.-]+)?$/;

/** Longest version that is read, in characters. */
const VERSION_LENGTH_MAX = 128;

/**
 * Whether the text is a release version or an environment's snapshot tag (`<semver>-snapshot-<UTC timestamp>`,
 * which the same grammar accepts). Spec: API, Builds, rule 4.
 */
export function isVersion(text: string): boolean {
  return text.length <= VERSION_LENGTH_MAX && VERSION.test(text);
}

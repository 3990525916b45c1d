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

const NUMBERS = /^[0-9]+[.][0-9]+[.][0-9]+/;
const REFUSED_CHARACTER = /[^A-Za-z0-9.-]/u;
const PRINTABLE = /^[!-~]+$/;

/** Describes what the grammar refuses about a text that is no version, for a person. */
export function describeVersionFault(text: string): string {
  if (text.length > VERSION_LENGTH_MAX) return `it has more than ${VERSION_LENGTH_MAX} characters`;
  const rest = text.replace(NUMBERS, '');
  if (rest === text) return 'it does not begin with three numbers such as 1.2.3';
  const metadata = /[+].*$/.exec(rest)?.[0];
  if (metadata !== undefined) {
    const quoted = PRINTABLE.test(metadata) ? ` "${metadata}"` : '';
    return `build metadata${quoted} is not taken, because an image's tag cannot have it: put it behind a hyphen`;
  }
  const refused = REFUSED_CHARACTER.exec(rest)?.[0];
  if (refused !== undefined) {
    const named = PRINTABLE.test(refused) ? `"${refused}"` : 'a space or another such character';
    return `${named} is not taken: only letters, digits, dots and hyphens`;
  }
  return 'after the three numbers comes nothing, or a hyphen and more';
}

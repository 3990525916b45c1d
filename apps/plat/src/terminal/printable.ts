import { NEEDED_JOINER } from '@plat/contracts/core/needed-joiner';
import { withoutHidden } from './hidden-secrets';

/** Characters that a terminal obeys, that change the direction of text or its lines, or that cannot be seen. */
const CONTROL = new RegExp(
  `(?=[\\p{Cc}\\p{DI}\\u2028\\u2029\\ufff9-\\ufffb])(?!${NEEDED_JOINER.source})[^]`,
  'gu',
);
const CONTROL_BUT_NEWLINE = new RegExp(`(?!\\n)${CONTROL.source}`, 'gu');
const CONTROL_BUT_LAYOUT = new RegExp(`(?![\\n\\t])${CONTROL.source}`, 'gu');
/** Up to the last `@` before the path, of any length: the token of a CI job has thousands of characters. */
const USERINFO = /(?<=:\/\/)[^\s/"<>]*@/g;
/** A field of a query whose name says that its value is secret. */
const SECRET_IN_QUERY = /([?&][\w.-]*(?:token|secret|password|signature|key)=)[^\s&#"'<>]+/gi;

/**
 * One line of text from outside, safe for a terminal: control, direction and invisible characters become spaces, and
 * tokens that were sent become `***`.
 */
export function printableLine(text: string): string {
  return withoutHidden(text).replace(CONTROL, ' ');
}

/** Text from outside that may have several lines, safe for a terminal. */
export function printableText(text: string): string {
  return withoutHidden(text).replaceAll('\r\n', '\n').replace(CONTROL_BUT_NEWLINE, ' ');
}

/** Everything that is printed: text of ours and from outside, lines and columns. */
export function printableOutput(text: string): string {
  return withoutHidden(text).replaceAll('\r\n', '\n').replace(CONTROL_BUT_LAYOUT, ' ');
}

/** JSON of a value. A terminal takes nothing in it for a command, and it stands for the same value. */
export function printableJson(value: unknown, indent?: number): string {
  return withoutHidden(JSON.stringify(value ?? null, null, indent)).replace(CONTROL_BUT_NEWLINE, escaped);
}

/** The same JSON, in whose values these characters are spelled as escapes: a reader that parses it sees them as well. */
export function spelledJson(value: unknown): string {
  const spelled = (character: string) => escaped(character).replaceAll('\\', '\\\\');
  return withoutHidden(JSON.stringify(value ?? null)).replace(CONTROL_BUT_NEWLINE, spelled);
}

/** A character beyond the first 65536 is two escapes in JSON. */
function escaped(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}

/** Removes the user name, the password and secret fields of every URL in the text: a remote may have them. */
export function withoutCredentials(text: string): string {
  return text.replace(USERINFO, '').replace(SECRET_IN_QUERY, '$1***');
}

import { withoutHidden } from './hidden-secrets';

/** Characters that a terminal obeys, and those that change the direction of text or its lines. */
const CONTROL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const CONTROL_BUT_NEWLINE = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const CONTROL_BUT_LAYOUT = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** Up to the last `@` before the path, of any length: the token of a CI job has thousands of characters. */
const USERINFO = /(?<=:\/\/)[^\s/"<>]*@/g;
/** A field of a query whose name says that its value is secret. */
const SECRET_IN_QUERY = /([?&][\w.-]*(?:token|secret|password|signature|key)=)[^\s&#"'<>]+/gi;

/**
 * One line of text from outside, safe for a terminal: control and direction characters become spaces, and tokens that
 * were sent become `***`.
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

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Removes the user name, the password and secret fields of every URL in the text: a remote may have them. */
export function withoutCredentials(text: string): string {
  return text.replace(USERINFO, '').replace(SECRET_IN_QUERY, '$1***');
}

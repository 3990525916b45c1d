const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const CONTROL_BUT_NEWLINE = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Up to the last `@` before the path, of any length: the token of a CI job has thousands of characters. */
const USERINFO = /(?<=:\/\/)[^\s/"<>]*@/g;

/** One line of text from outside, safe for a terminal: control and direction characters become spaces. */
export function printableLine(text: string): string {
  return text.replace(CONTROL, ' ');
}

/** Text from outside that may have several lines, safe for a terminal. */
export function printableText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROL_BUT_NEWLINE, ' ');
}

/** Removes the user name and password of every URL in the text, because a remote may contain a token. */
export function withoutUserinfo(text: string): string {
  return text.replace(USERINFO, '');
}

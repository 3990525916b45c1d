const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const CONTROL_BUT_NEWLINE = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Up to the last `@` before the path, of any length: the token of a CI job has thousands of characters. */
const USERINFO = /(?<=:\/\/)[^\s/"<>]*@/g;
/** A field of a query whose name says that its value is secret. */
const SECRET_IN_QUERY = /([?&][\w.-]*(?:token|secret|password|signature|key)=)[^\s&#"'<>]+/gi;

/** One line of text from outside, safe for a terminal: control and direction characters become spaces. */
export function printableLine(text: string): string {
  return text.replace(CONTROL, ' ');
}

/** Text from outside that may have several lines, safe for a terminal. */
export function printableText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROL_BUT_NEWLINE, ' ');
}

/** Removes the user name, the password and secret fields of every URL in the text: a remote may have them. */
export function withoutCredentials(text: string): string {
  return text.replace(USERINFO, '').replace(SECRET_IN_QUERY, '$1***');
}

/**
 * Splits a line of a Dockerfile into words as BuildKit does to find its heredocs: at white space outside quotes. Quotes
 * and escapes stay in the words. The escape character is always the backslash here, whatever the file declares.
 *
 * @returns undefined if a quote or a `${` is not closed: BuildKit then takes the line to have no heredoc
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word = '';
  for (let at = 0; at < line.length;) {
    const end = endOfPart(line, at);
    if (end === undefined) return undefined;
    const part = line.slice(at, end);
    at = end;
    const pieces = isQuoted(part) ? [part] : part.split(/\s/);
    word += pieces[0] ?? '';
    for (const piece of pieces.slice(1)) {
      if (word !== '') words.push(word);
      word = piece;
    }
  }
  return word === '' ? words : [...words, word];
}

/** The word without its quotes and escapes. */
export function unquote(word: string): string {
  return word.replace(/'[^']*'|"(?:\\.|[^"\\])*"|\\.?/gs, unquotePart);
}

function unquotePart(part: string): string {
  if (part.startsWith('\\')) return part.slice(1);
  const inner = part.slice(1, -1);
  return part.startsWith("'") ? inner : inner.replace(/\\(["$\\])/g, '$1');
}

function isQuoted(part: string): boolean {
  return /^['"\\]/.test(part);
}

/** The end of the part that begins at `at`: a quoted text, an escaped character, a variable or one character. */
function endOfPart(line: string, at: number): number | undefined {
  const first = line[at];
  if (first === '\\') return Math.min(at + 2, line.length);
  if (first === "'") return after(line, "'", at + 1);
  if (first === '"') return endOfDoubleQuotes(line, at + 1);
  if (first === '$' && line[at + 1] === '{') return endOfVariable(line, at + 2);
  return at + 1;
}

function after(line: string, closing: string, from: number): number | undefined {
  const found = line.indexOf(closing, from);
  return found < 0 ? undefined : found + 1;
}

function endOfDoubleQuotes(line: string, from: number): number | undefined {
  let at = from;
  while (at < line.length) {
    if (line[at] === '"') return at + 1;
    const isEscape = line[at] === '\\' && /["$\\]/.test(line[at + 1] ?? '');
    const isVariable = line[at] === '$' && line[at + 1] === '{';
    const end = isVariable ? endOfVariable(line, at + 2) : at + (isEscape ? 2 : 1);
    if (end === undefined) return undefined;
    at = end;
  }
  return undefined;
}

/** The end of `${name}`, or of `${name}` with a modifier, whose text may have quotes and variables of its own. */
function endOfVariable(line: string, from: number): number | undefined {
  const [, name = '', modifier] =
    /^(\d+|[@*#?\-$!]|[\p{L}_][\p{L}\d_]*|)(\}|:.|[+\-?#%/])?/su.exec(line.slice(from)) ?? [];
  if (modifier === undefined || (name === '' && /^[:}]/.test(modifier))) return undefined;
  const start = from + name.length + modifier.length;
  if (modifier === '}') return start;
  if (modifier !== '/') return endOfText(line, start, '}');
  const pattern = endOfText(line, start, '/');
  return pattern === undefined ? undefined : endOfText(line, pattern, '}');
}

function endOfText(line: string, from: number, closing: string): number | undefined {
  let at: number | undefined = from;
  while (at !== undefined && at < line.length) {
    if (line[at] === closing) return at + 1;
    at = endOfPart(line, at);
  }
  return undefined;
}

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

/** A text that is open: double quotes, or a text of a variable up to the character that closes it. */
type Open = '"' | '}' | '/';

/**
 * The end of the part that begins at `at`: a quoted text, an escaped character, a variable or one character. Texts that are open
 * stand in a list, because a branch may have a Dockerfile in which variables nest deeper than functions can call each other.
 */
function endOfPart(line: string, at: number): number | undefined {
  const open: Open[] = [];
  let end: number | undefined = step(line, at, open);
  while (open.length > 0 && end !== undefined) {
    end = end < line.length ? step(line, end, open) : undefined;
  }
  return end;
}

/** Reads one character, or all of a text in which no other one can be open. Updates the list of open texts. */
function step(line: string, at: number, open: Open[]): number | undefined {
  const first = line[at];
  const inside = open.at(-1);
  if (first === inside) {
    open.pop();
    return at + 1;
  }
  if (first === '$' && line[at + 1] === '{') return beginVariable(line, at + 2, open);
  if (inside === '"') return at + (first === '\\' && /["$\\]/.test(line[at + 1] ?? '') ? 2 : 1);
  if (first === '\\') return Math.min(at + 2, line.length);
  if (first === "'") return after(line, "'", at + 1);
  if (first === '"') open.push('"');
  return at + 1;
}

function after(line: string, closing: string, from: number): number | undefined {
  const found = line.indexOf(closing, from);
  return found < 0 ? undefined : found + 1;
}

const VARIABLE = /(\d+|[@*#?\-$!]|[\p{L}_][\p{L}\d_]*|)(\}|:.|[+\-?#%/])?/suy;

/** Begins `${name}`, or `${name}` with a modifier, whose text may have quotes and variables of its own. */
function beginVariable(line: string, from: number, open: Open[]): number | undefined {
  VARIABLE.lastIndex = from;
  const [, name = '', modifier] = VARIABLE.exec(line) ?? [];
  if (modifier === undefined || (name === '' && /^[:}]/.test(modifier))) return undefined;
  if (modifier !== '}') open.push('}');
  if (modifier === '/') open.push('/');
  return from + name.length + modifier.length;
}

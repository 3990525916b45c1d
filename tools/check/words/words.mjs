/** White space within a phrase, which may go on in the next line of its comment. */
const SPACE = String.raw`\s(?:\s|\*|//|--|#)*`;

/** Words that plain English does without, and the plain words to use instead. */
const WORDS = [
  { word: 'tell', pattern: 'tell(?:s|ing)?|told', plain: 'say, report, show, determine or distinguish' },
  { word: 'anew', pattern: 'anew', plain: 'again' },
  { word: 'nought', pattern: 'nought', plain: 'zero or nothing' },
  {
    word: 'none of ours',
    pattern: ['none', 'of', 'ours'].join(SPACE),
    plain: 'unknown, foreign or unexpected',
  },
];
const PATTERN = new RegExp(WORDS.map(({ pattern }) => String.raw`\b(${pattern})\b`).join('|'), 'gi');

/**
 * Finds the forbidden words of a text, in comments, messages, names and prose alike.
 *
 * @param {string} text
 * @returns {{line: number, found: string, plain: string}[]} `found` as written, on one line
 */
export function forbiddenWords(text) {
  return Array.from(text.matchAll(PATTERN), ({ index, 0: found, ...groups }) => ({
    line: text.slice(0, index).split('\n').length,
    found: found.replace(new RegExp(SPACE, 'g'), ' '),
    plain: WORDS.find((_, at) => groups[at + 1] !== undefined).plain,
  }));
}

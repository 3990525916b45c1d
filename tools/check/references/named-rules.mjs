/**
 * A reference of a comment or document to a rule of the contract.
 * @typedef {object} NamedRule
 * @property {'rule' | 'spec' | 'path'} kind
 * @property {string} text as written, on one line
 * @property {number} line
 */

/** Space within a reference, which may go on in the next line of its comment. */
const COMMENT_SPACE = String.raw`(?:[^\S\n]|\n[^\S\n]*(?:\*(?!/)|//|--|#)[^\S\n]*)+`;
/** In a document no mark begins the next line. */
const TEXT_SPACE = String.raw`(?:[^\S\n]|\n(?!\s*\n)[^\S\n]*)+`;

/**
 * A character of a reference. All words up to a full stop, semicolon, colon, bracket or quote belong to the reference,
 * and must resolve.
 */
const WORD = String.raw`[^\s.;:()"'\x60|*]|\.(?=\w)`;

const patternsOf = (space) => {
  const and = `(?:,${space}(?:and${space})?|${space}and${space}|${space}to${space})`;
  const listOf = (id) => `${id}(?:${and}${id})*`;
  return {
    rule: new RegExp(String.raw`\b[Rr]ules?${space}(${listOf(String.raw`[A-Z]\d+`)})\b`, 'g'),
    condition: new RegExp(String.raw`\b[Cc]onditions?${space}(${listOf(String.raw`[A-Z]\d?`)})(?!\w)`, 'g'),
    spec: new RegExp(String.raw`(?<!\w)Spec[:](?:${space})?((?:${WORD}|${space})*)`, 'g'),
    path: /\bdocs\/(?:decisions\/\d{4}[\w.-]*|[\w/-]+\.md)\b/g,
  };
};
const IN_COMMENTS = patternsOf(COMMENT_SPACE);
const IN_DOCUMENTS = patternsOf(TEXT_SPACE);

/**
 * Every reference of a file. References to rules count anywhere, since tests name them too. In code, references to
 * documents count within comments only.
 *
 * @param {string} text
 * @param {{isDocument: boolean}} file
 * @returns {NamedRule[]}
 */
export function namedRules(text, { isDocument }) {
  const space = new RegExp(isDocument ? TEXT_SPACE : COMMENT_SPACE, 'g');
  const patterns = Object.entries(isDocument ? IN_DOCUMENTS : IN_COMMENTS);
  return patterns.flatMap(([kind, pattern]) =>
    Array.from(text.matchAll(pattern))
      .filter(({ index }) => isDocument || kind !== 'path' || isInComment(text, index))
      .map((match) => ({
        kind,
        text: (match[1] ?? match[0]).replace(space, ' ').trim(),
        line: text.slice(0, match.index).split('\n').length,
      })),
  );
}

/** Whether a position is in a comment. Elsewhere code may name a document that it writes, and a test a missing one. */
function isInComment(text, index) {
  const line = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
  return /^\s*(\*|\/\/|\/\*|--|#)/.test(line);
}

/**
 * The members of a list such as `B7 to B13`, `D3, D4` or `2, 3 and 6`.
 *
 * @param {string} list
 * @returns {string[]} each member, also those within a range; a range that runs backwards has none
 */
export function membersOf(list) {
  return list.split(/, and |, | and /).flatMap((part) => {
    const [first, last] = part.split(' to ');
    if (last === undefined) return [first];
    const [, letter, from] = /^(\D*)(\d+)$/.exec(first) ?? [];
    const [, other, to] = /^(\D*)(\d+)$/.exec(last) ?? [];
    if (letter === undefined || letter !== other) return [first, last];
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => `${letter}${Number(from) + at}`);
  });
}

/**
 * An anchor of a document.
 * @typedef {{id: string, line: number, within: ReadonlySet<string>}} Anchor `within`: the headings that it stands under
 */

/** The anchor that a heading of that text has, as hosting services and editors make it. */
export function slug(text) {
  return text
    .replace(/<[^>]*>/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * Every anchor of a document: one of each heading, and each `<a id="…">`.
 *
 * @param {string} text
 * @returns {Anchor[]} in the order of the document, with its doubles
 */
export function anchorsOf(text) {
  const found = [];
  /** The headings that are open, the outermost first: level and ids. */
  let open = [];
  linesOf(text).forEach((content, at) => {
    const line = at + 1;
    const explicit = Array.from(content.matchAll(/<a id="([^"]+)"><\/a>/g), ([, id]) => id);
    const [, marks, title] = /^(#+) +(.*)$/.exec(content) ?? [];
    if (marks === undefined) {
      const within = new Set(open.flatMap(({ ids }) => ids));
      found.push(...explicit.map((id) => ({ id, line, within })));
      return;
    }
    open = open.filter(({ level }) => level < marks.length);
    const within = new Set(open.flatMap(({ ids }) => ids));
    const ids = [...new Set([slug(title), ...explicit])];
    found.push(...ids.map((id) => ({ id, line, within })));
    open.push({ level: marks.length, ids });
  });
  return found;
}

/**
 * The links of a document that lead into this repository.
 *
 * @param {string} text
 * @returns {{path: string, anchor?: string, line: number}[]} `path` as written, '' for the document itself
 */
export function linksOf(text) {
  return linesOf(text).flatMap((content, at) => {
    const targets = [
      ...content.replace(/`[^`]*`/g, '').matchAll(/\]\(([^()\s]+)\)/g),
      ...content.matchAll(/^\[[^\]]+\]: +(\S+)/g),
    ].map(([, target]) => target);
    const own = targets.filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
    return own.map((target) => {
      const [path = '', anchor] = target.split('#');
      return { path, anchor, line: at + 1 };
    });
  });
}

/** The lines of a document, those of fenced code empty. */
function linesOf(text) {
  let fence;
  return text.split('\n').map((line) => {
    const [, mark] = /^\s*(```+|~~~+)/.exec(line) ?? [];
    if (fence === undefined && mark === undefined) return line;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    return '';
  });
}

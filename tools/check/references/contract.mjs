import { anchorsOf, slug } from './markdown.mjs';
import { membersOf } from './named-rules.mjs';

/** The parts of the contract, by the word that references use: each with a pattern of its files in docs/contract. */
const PARTS = { API: /^api(-|\.)/, Client: /^client(-|\.)/, Rules: /^rules(-|\.)/ };
const CONDITIONS = 'merged-report-verification';

/** The anchors of docs/contract, to which references resolve. */
export class Contract {
  /** The faults of the contract's own anchors. @type {string[]} */
  faults = [];
  #anchors = new Map();

  /** @param {Readonly<Record<string, string>>} files text by name, such as `api.md` */
  constructor(files) {
    for (const [part, pattern] of Object.entries(PARTS)) {
      const byId = new Map();
      for (const [name, text] of Object.entries(files).filter(([file]) => pattern.test(file))) {
        for (const anchor of anchorsOf(text)) this.#add(byId, name, anchor);
      }
      this.#anchors.set(part, byId);
    }
  }

  #add(byId, name, anchor) {
    const first = byId.get(anchor.id);
    if (first === undefined) byId.set(anchor.id, { ...anchor, name });
    else this.faults.push(`${name}:${anchor.line}: #${anchor.id} is at ${first.name}:${first.line} already`);
  }

  /**
   * Resolves a reference to a rule.
   *
   * @param {{kind: string, text: string}} rule
   * @returns {{anchors: string[], missing: string[]}} where it leads; its members that lead nowhere
   */
  resolve({ kind, text }) {
    const found = this.#wanted(kind, text).map(({ words, anchor }) => ({ words, anchor }));
    return {
      anchors: found.flatMap(({ anchor }) => anchor ?? []),
      missing: found.filter(({ anchor }) => anchor === undefined).map(({ words }) => words),
    };
  }

  #wanted(kind, text) {
    if (kind === 'spec') return this.#spec(text);
    const path = (id) => (kind === 'condition' ? [`${CONDITIONS}-${slug(id)}`] : [slug(id)]);
    const part = kind === 'condition' ? 'API' : 'Rules';
    const members = membersOf(text);
    if (members.length === 0) return [{ words: text }];
    return members.map((id) => ({ words: id, anchor: this.#find(part, path(id)) }));
  }

  /** `API, Builds, rules 1 and 3`: a part, headings or rows, and perhaps rules by number. */
  #spec(text) {
    const [, part, where] = /^(\w+), (.+)$/.exec(text) ?? [];
    if (!this.#anchors.has(part) || part === 'Rules') return [{ words: text }];
    const [, headings, numbers] = /^(.*?),? rules? (\d(?:\d|, | and | to )*)$/.exec(where) ?? [];
    const [, above, conditions] = /^(.+), conditions? (.+)$/.exec(where) ?? [];
    if (conditions !== undefined) {
      return membersOf(conditions).map((id) => this.#named(part, [...above.split(', '), id]));
    }
    if (numbers === undefined) return [this.#named(part, where.split(', '))];
    return membersOf(numbers).map((number) => this.#named(part, headings.split(', '), `-${number}`));
  }

  #named(part, words, rule = '') {
    const path = words.map(slug);
    path.push(`${path.pop()}${rule}`);
    return {
      words: `${part}, ${words.join(', ')}${rule.replace('-', ', rule ')}`,
      anchor: this.#find(part, path),
    };
  }

  /** Finds an anchor by the whole path, or else by its last part if that stands below all headings before it. */
  #find(part, path) {
    const byId = this.#anchors.get(part);
    const whole = byId.get(path.join('-'));
    const last = byId.get(path.at(-1));
    const found =
      whole ?? (path.slice(0, -1).every((heading) => last?.within.has(heading)) ? last : undefined);
    return found && `${found.name}#${found.id}`;
  }
}

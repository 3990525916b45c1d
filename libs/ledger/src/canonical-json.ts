/** Levels of arrays and objects that are written; more would exhaust the stack of the program that reads them. */
const DEPTH_MAX = 64;

/**
 * A value as canonical JSON (RFC 8785): members sorted by the UTF-16 code units of their names, no white space. Only such
 * values are written that every reader understands alike: strings, integers of at most 53 bits, booleans, null, arrays and
 * plain objects. A member that is undefined is left out, as JSON does.
 *
 * @throws TypeError for any other value, a text with half of a surrogate pair, and more than 64 levels
 */
export function canonicalJson(value: unknown): string {
  return write(value, DEPTH_MAX);
}

function write(value: unknown, levels: number): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeText(value);
  if (Number.isSafeInteger(value)) return JSON.stringify(value);
  if (typeof value !== 'object') throw new TypeError(`Canonical JSON has no place for this ${typeof value}.`);
  if (levels === 0) throw new TypeError(`Canonical JSON has at most ${DEPTH_MAX} levels.`);
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item: unknown) => write(item, levels - 1)).join()}]`;
  }
  if (!isPlain(value)) throw new TypeError('Canonical JSON has no objects but plain ones.');
  return `{${writeMembers(value as Readonly<Record<string, unknown>>, levels - 1)}}`;
}

function writeMembers(value: Readonly<Record<string, unknown>>, levels: number): string {
  let text = '';
  // Unless given an order of its own, sort compares by code units.
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${writeText(name)}:${write(member, levels)}`;
  }
  return text;
}

/** Printable ASCII that JSON does not escape: most texts are such, and need nothing but quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

function writeText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('A text has half of a surrogate pair.');
  return JSON.stringify(text);
}

/** Objects of a class, such as a date, mean more than their members. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  // In every realm, only the prototype of plain objects has no prototype itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A wrong value, by the field or variable that holds it. */
export interface Fault {
  /** Name of a variable, or a path such as `idle.timeout` or `containerRegistries[0].roles`. */
  field: string;
  /** The given value. Absent if the field is missing, or if the value may hold a secret. */
  value?: unknown;
  /** The rest of the sentence: `is no duration (…)`. */
  why: string;
}

/** Longest value that a message repeats, in characters. */
const SHOWN_MAX = 60;

/** One sentence without its full stop: `idle.timeout "5 minutes" is no duration (…)`. */
export function describeFault({ field, value, why }: Fault): string {
  return [field, ...(value === undefined ? [] : [shown(value)]), why].join(' ');
}

/** The value as JSON, cut if it is long: then with the characters of the value itself, without a text's quotes. */
function shown(value: unknown): string {
  const text = JSON.stringify(typeof value === 'bigint' ? String(value) : value) ?? String(value);
  if (text.length <= SHOWN_MAX) return text;
  const { length } = typeof value === 'string' ? value : text;
  return `${text.slice(0, SHOWN_MAX)}… (${length} characters)`;
}

import * as z from 'zod';
import { isLine } from '../variable-type';

/** A mapping that keeps keys unknown to this version. */
export const mapping = <T extends z.ZodRawShape>(shape: T) =>
  z.looseObject(shape, { error: 'is no mapping' });
export const flag = () => z.boolean({ error: 'is neither true nor false' });
export const list = <T extends z.ZodType>(entry: T) => z.array(entry, { error: 'is no list' });
export const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, { error: `is none of ${words.join(', ')}` });

/** A whole number within bounds. */
export function int(why: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.int({ error: why }).min(min, { error: why }).max(max, { error: why });
}

/** The rules of a text: its pattern, which the published schema names, and a test of what no pattern says. */
interface TextRules {
  pattern?: RegExp;
  test?: (value: string) => boolean;
}

/**
 * One line of text. Its length is checked before its pattern.
 *
 * @param why the rest of the sentence that begins with field and value
 */
export function text(why: string, { pattern, test = () => true }: TextRules = {}) {
  const accepts = (value: string) => isLine(value) && (pattern?.test(value) ?? true) && test(value);
  const schema = z.string({ error: why }).refine(accepts, { error: why });
  return pattern === undefined ? schema : schema.meta({ pattern: pattern.source });
}

/** A text that a message does not repeat, because a wrong one may hold a password. */
export function secretText(why: string, test: (value: string) => boolean) {
  return z.string({ error: why }).refine(test, { error: why, params: { isSecret: true } });
}

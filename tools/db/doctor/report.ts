import type { Finding } from './check';

/** Renders the findings for a person: the fault, why it matters and how to mend it, errors first. */
export function renderReport(
  findings: readonly Finding[],
  healthy = 'The database has no fault that a check knows.',
): string {
  if (findings.length === 0) return healthy;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const lines = [...errors, ...warnings].map(
    ({ severity, check, what, why, mend }) =>
      `${severity} (${check}): ${spell(what)}\n  why:  ${why}\n  mend: ${mend}`,
  );
  return [...lines, `${counted(errors.length, 'error')}, ${counted(warnings.length, 'warning')}`].join('\n');
}

/** Control, direction and invisible characters, and those that end a line. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Spells hidden characters. A login sets settings for itself, whose text could look like a statement that mends. */
const spell = (text: string): string =>
  text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

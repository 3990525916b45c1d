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
      `${severity} (${check}): ${what}\n  why:  ${why}\n  mend: ${mend}`,
  );
  return [...lines, `${counted(errors.length, 'error')}, ${counted(warnings.length, 'warning')}`].join('\n');
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

import { type JudgedPull, QUESTIONS, type Standing, standingOf, wrongAnswers } from './judge-pulls';

const STANDINGS: readonly Standing[] = ['git merges to the very tree', 'git merges to no change', 'neither'];

/** The report for one repository: counts by git's result, times beside git's, and each wrong answer. */
export function reportOf(name: string, judged: readonly JudgedPull[]): string {
  const lines = [`${name}: ${judged.length} landings`];
  for (const standing of STANDINGS) {
    const own = judged.filter(({ witnessed }) => standingOf(witnessed) === standing);
    lines.push(`  ${standing}: ${own.length}`);
    for (const question of own.length > 0 ? QUESTIONS : []) {
      const counts = new Map<string, number>();
      for (const { answers } of own) counts.set(answers[question], (counts.get(answers[question]) ?? 0) + 1);
      const cells = [...counts]
        .sort(([, one], [, other]) => other - one)
        .map((row) => row.reverse().join(' '));
      lines.push(`    ${question.padEnd(8)} ${cells.join(', ')}`);
    }
  }
  for (const question of QUESTIONS) {
    lines.push(`  ${question.padEnd(8)} ${times(judged.map(({ seconds }) => seconds[question]))}`);
  }
  lines.push(
    `  git      ${times(judged.map(({ witnessed }) => witnessed.seconds))} (merge-tree in the clone)`,
  );
  return `${lines.join('\n')}\n`;
}

/** One line for each wrong answer. */
export function wrongOf(name: string, judged: readonly JudgedPull[]): string[] {
  return judged.flatMap((each) =>
    wrongAnswers(each).map(
      (question) =>
        `${name} #${each.pull.number} ${each.pull.how} ${each.pull.landed}: ${question} ${each.answers[question]}` +
        ` (${standingOf(each.witnessed)})`,
    ),
  );
}

function times(seconds: readonly number[]): string {
  const sorted = [...seconds].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return `median ${(at(0.5) * 1000).toFixed(0)} ms, p99 ${(at(0.99) * 1000).toFixed(0)} ms`;
}

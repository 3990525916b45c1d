import { type JudgedPull, QUESTIONS, type Standing, standingOf, wrongAnswers } from './judge-pulls';
import type { WarmCheck } from './warm-clone';

const STANDINGS: readonly Standing[] = ['git merges to the very tree', 'git merges to no change', 'neither'];

/** The report for one repository: counts by git's result, costs next to git's, and each wrong answer. */
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
    lines.push(`  ${question.padEnd(8)} ${costsOf(judged.map(({ costs }) => costs[question]))}`);
  }
  lines.push(
    `  git      ${costsOf(judged.map(({ inWarmClone }) => inWarmClone))} (fetch and merge-tree in a warm clone)`,
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

function costsOf(costs: readonly WarmCheck[]): string {
  const at = (numbers: readonly number[], share: number) =>
    [...numbers].sort((one, other) => one - other)[
      Math.min(numbers.length - 1, Math.floor(share * numbers.length))
    ] ?? 0;
  const seconds = costs.map((cost) => cost.seconds);
  const [median, p99] = [0.5, 0.99].map((share) => `${(at(seconds, share) * 1000).toFixed(0)} ms`);
  const bytes = at(
    costs.map((cost) => cost.bytes),
    0.5,
  );
  return `median ${median}, p99 ${p99}, median ${(bytes / 1024).toFixed(1)} KiB`;
}

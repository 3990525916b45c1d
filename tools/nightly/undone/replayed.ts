import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { git } from '@plat/testing';
import type { UndoneWork, Verifier } from '@plat/verifier';
import { listMergedPulls } from '../repositories/pulls';

/** Most landings in 100 that may have a finding of the surest kind. */
const SURE_MAX = 0.01;

/**
 * Looks for undone work in the landings of a public repository, nearly all of which are honest. Landings that say that they
 * revert another one are left out.
 *
 * @param directory of a bare clone
 * @returns the report with each finding of the surest kind, and the fault if there are too many
 */
export async function judgeReplayed(
  verifier: Verifier,
  directory: string,
  { runs, only }: { runs: number; only: number | undefined },
): Promise<{ report: string; faults: string[] }> {
  const pulls = await listMergedPulls(directory);
  const chosen = only === undefined ? pulls.slice(0, runs) : pulls.filter(({ number }) => number === only);
  const withFindings = { sure: 0, likely: 0, possible: 0 };
  const sure: string[] = [];
  const milliseconds: number[] = [];
  let [judged, unknown] = [0, 0];
  for (const { landed, source, number } of chosen) {
    if (/\brevert/i.test(await git(directory, ['log', '-1', '--format=%B', landed]))) continue;
    const question = { commitId: landed, sourceCommitId: source, days: 30 };
    const startedAt = performance.now();
    const answer = await verifier.findUndoneWork({
      ...question,
      remoteUrl: pathToFileURL(resolve(directory)).href,
    });
    milliseconds.push(performance.now() - startedAt);
    judged += 1;
    if ('unknown' in answer) {
      unknown += 1;
      continue;
    }
    for (const certainty of ['sure', 'likely', 'possible'] as const) {
      if (answer.findings.some((finding) => finding.certainty === certainty)) withFindings[certainty] += 1;
    }
    sure.push(...sureOf(number, answer));
  }
  const { sure: some } = withFindings;
  const faults =
    some > judged * SURE_MAX ? [`${directory}: ${some} of ${judged} landings are called sure`] : [];
  const figures = `sure ${some}, likely ${withFindings.likely}, possible ${withFindings.possible}, unknown ${unknown}`;
  const time = `median ${percentile(milliseconds, 0.5)} ms, p99 ${percentile(milliseconds, 0.99)} ms`;
  const report = [`${directory}: ${judged} landings; with findings: ${figures}; ${time}`, ...sure, ''].join(
    '\n',
  );
  return { report, faults };
}

const sureOf = (number: number, { findings }: UndoneWork): string[] =>
  findings
    .filter(({ certainty }) => certainty === 'sure')
    .map(
      ({ kind, commitId, path, firstLine, lastLine }) =>
        `  --only ${number}: ${kind} ${commitId.slice(0, 10)} ${path}:${firstLine}-${lastLine}`,
    );

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

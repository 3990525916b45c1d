import { pathToFileURL } from 'node:url';
import { UNDONE_CERTAINTIES, type UndoneCertainty } from '@plat/contracts/core';
import { git } from '@plat/testing';
import type { UndoneWork, Verifier } from '@plat/verifier';
import { listMergedPulls } from '../repositories/pulls';
import { type ProspectiveMerge, prospectiveMerges } from './prospective-merges';

/** Most landings in 100 that may have a finding of the surest kind. */
const SURE_MAX = 0.01;
/** The content of one merge in so many is judged too, to compare the times. */
const CONTENT_EVERY = 10;
/** Most times as long as the content's verdict that the comparison may take, at the median. */
const TIMES_MAX = 2;

interface Judged {
  merge: ProspectiveMerge;
  answer: UndoneWork | { unknown: string };
  milliseconds: number;
  /** Milliseconds of the content's verdict on the same merge. */
  contentMilliseconds?: number;
}

/**
 * Looks for undone work in the merges of a public repository's pull requests, nearly all of which are honest. Each merge is
 * made as plat makes it before a push, because a person may have changed what landed. Landings that say that they revert another
 * one are left out.
 *
 * @param directory of a bare clone
 * @returns the report with each finding of the surest kind, and the faults
 */
export async function judgeReplayed(
  verifier: Verifier,
  directory: string,
  { runs, only }: { runs: number; only: number | undefined },
): Promise<{ report: string; faults: string[] }> {
  const pulls = await listMergedPulls(directory);
  const chosen = only === undefined ? pulls.slice(0, runs) : pulls.filter(({ number }) => number === only);
  const merges = await prospectiveMerges(directory, chosen);
  try {
    const judged: Judged[] = [];
    const clean = merges.all.filter(({ tree, changes }) => tree !== undefined && changes);
    for (const [index, merge] of clean.entries()) {
      if (index % 50 === 0) process.stderr.write(`${directory}: ${index} of ${clean.length}\n`);
      if (await saysRevert(directory, merge.pull.landed)) continue;
      const isTimed = judged.length % CONTENT_EVERY === 0;
      judged.push(await judge(verifier, { merge, folder: merges.folder, isTimed }));
    }
    const conflicts = merges.all.filter(({ tree }) => tree === undefined).length;
    return reportOf(directory, judged, {
      conflicts,
      unchanged: merges.all.length - conflicts - clean.length,
    });
  } finally {
    await merges.remove();
  }
}

const saysRevert = async (directory: string, commitId: string): Promise<boolean> =>
  /\brevert/i.test(await git(directory, ['log', '-1', '--format=%B', commitId]));

async function judge(
  verifier: Verifier,
  { merge, folder, isTimed }: { merge: ProspectiveMerge; folder: string; isTimed: boolean },
): Promise<Judged> {
  const { pull, tree: treeId = '' } = merge;
  const remoteUrl = pathToFileURL(folder).href;
  const question = { onto: pull.parent, treeId, sourceCommitId: pull.source, days: 30, remoteUrl };
  const [answer, milliseconds] = await timed(() => verifier.findUndoneWork(question));
  if (!isTimed) return { merge, answer, milliseconds };
  const targetTip = await git(folder, ['commit-tree', treeId, '-p', pull.parent, '-m', 'squash']);
  const landing = { targetTip, sourceTip: pull.source, remoteUrl };
  const [, contentMilliseconds] = await timed(() => verifier.judgeContent(landing));
  return { merge, answer, milliseconds, contentMilliseconds };
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  return [await work(), performance.now() - startedAt];
}

function reportOf(
  directory: string,
  judged: readonly Judged[],
  { conflicts, unchanged }: { conflicts: number; unchanged: number },
): { report: string; faults: string[] } {
  const having = (certainty: UndoneCertainty) =>
    judged.filter(({ answer }) => findingsOf(answer).some((finding) => finding.certainty === certainty));
  const figures = UNDONE_CERTAINTIES.map((certainty) => `${certainty} ${having(certainty).length}`).join(
    ', ',
  );
  const unknown = judged.filter(({ answer }) => 'unknown' in answer).length;
  const otherwise = judged.filter(({ merge }) => !merge.isAsLanded).length;
  const both = judged.filter(({ contentMilliseconds }) => contentMilliseconds !== undefined);
  const [own, content] = [
    both.map(({ milliseconds }) => milliseconds),
    both.map(({ contentMilliseconds = 0 }) => contentMilliseconds),
  ];
  const lines = [
    `${directory}: ${judged.length} merges; with findings: ${figures}; unknown ${unknown}`,
    `  ${otherwise} of them landed with another tree; left out: ${conflicts} in conflict, ${unchanged} without a change`,
    `  all: ${timesOf(judged.map(({ milliseconds }) => milliseconds))}`,
    `  every ${CONTENT_EVERY}th: ${timesOf(own)}; its content's verdict: ${timesOf(content)}`,
    ...having('sure').flatMap(sureOf),
    '',
  ];
  const some = having('sure').length;
  const faults =
    some > judged.length * SURE_MAX
      ? [`${directory}: ${some} of ${judged.length} landings are called sure`]
      : [];
  if (percentile(own, 0.5) > TIMES_MAX * percentile(content, 0.5)) {
    faults.push(`${directory}: the median is more than ${TIMES_MAX} times that of the content's verdict`);
  }
  return { report: lines.join('\n'), faults };
}

const findingsOf = (answer: Judged['answer']) => ('unknown' in answer ? [] : answer.findings);

function sureOf({ merge: { pull, isAsLanded }, answer }: Judged): string[] {
  return findingsOf(answer)
    .filter(({ certainty }) => certainty === 'sure')
    .map(({ kind, commitId, path, firstLine, lastLine, in: file, sourceCommitId }) => {
      const place = firstLine === undefined ? path : `${path}:${firstLine}-${lastLine} ${file}`;
      const by = sourceCommitId === undefined ? '' : ` by ${sourceCommitId.slice(0, 10)}`;
      const landed = isAsLanded ? '' : ', landed with another tree';
      return `  --only ${pull.number}: ${kind} ${commitId.slice(0, 10)} ${place}${by}${landed}`;
    });
}

const timesOf = (values: readonly number[]): string =>
  `median ${Math.round(percentile(values, 0.5))} ms, p99 ${Math.round(percentile(values, 0.99))} ms`;

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

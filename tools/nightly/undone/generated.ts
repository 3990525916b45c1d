import { GitRemote } from '@plat/testing';
import type { UndoneWork, Verifier } from '@plat/verifier';
import { CARELESS, HONEST, type MadeHistory, makeHistory, type Way } from './made-history';

/** Least share of the lost blocks that are found. */
const RECALL_MIN = 0.95;

interface Counts {
  histories: number;
  lost: number;
  found: number;
  /** Histories with a finding of the surest kind. */
  sure: number;
}

/**
 * Compares what the verifier finds in generated histories with what is lost in them by construction.
 *
 * @returns the report, and the faults
 */
export async function judgeGenerated(
  verifier: Verifier,
  { runs, seed, only }: { runs: number; seed: number; only: number | undefined },
): Promise<{ report: string; faults: string[] }> {
  const ways: readonly Way[] = [...CARELESS, ...HONEST];
  const counts = new Map<Way, Counts>(ways.map((way) => [way, { histories: 0, lost: 0, found: 0, sure: 0 }]));
  const faults: string[] = [];
  for (let run = only ?? 0; run < (only === undefined ? runs : only + 1); run += 1) {
    const way = ways[run % ways.length] as Way;
    const history = makeHistory(seed + run, way);
    const { missed, sure } = await judgeHistory(verifier, history);
    const of = counts.get(way) as Counts;
    of.histories += 1;
    of.lost += history.lost.length;
    of.found += history.lost.length - missed.length;
    of.sure += sure ? 1 : 0;
    const isHonest = (HONEST as readonly Way[]).includes(way) && way !== 'revert';
    if (isHonest && sure) faults.push(`--only ${run}: ${way} is called sure`);
    if (only !== undefined) faults.push(...missed.map((path) => `--only ${run}: ${way} lost ${path}`));
  }
  const [lost, found] = [sum(counts, 'lost'), sum(counts, 'found')];
  if (lost > 0 && found < lost * RECALL_MIN) faults.push(`${found} of ${lost} lost blocks were found`);
  const rows = [...counts].map(
    ([way, of]) =>
      `  ${way}: ${of.histories} histories, ${of.found} of ${of.lost} lost blocks found, ${of.sure} called sure`,
  );
  const report = [`${runs} histories, seed ${seed}: ${found} of ${lost} lost blocks found`, ...rows, ''].join(
    '\n',
  );
  return { report, faults };
}

const sum = (counts: ReadonlyMap<Way, Counts>, field: keyof Counts): number =>
  [...counts.values()].reduce((total, of) => total + of[field], 0);

async function judgeHistory(
  verifier: Verifier,
  { commits, source, landed, lost }: MadeHistory,
): Promise<{ missed: string[]; sure: boolean }> {
  const remote = await GitRemote.create();
  try {
    const ids = await remote.import(commits, { source, landed });
    const question = { commitId: ids[landed] as string, sourceCommitId: ids[source] as string, days: 30 };
    const answer = await verifier.findUndoneWork({ ...question, remoteUrl: remote.fileUrl });
    if ('unknown' in answer) throw new Error(`the verifier does not know: ${answer.unknown}`);
    return {
      missed: lost.flatMap(({ landing, path }) => (isFound(answer, ids[landing], path) ? [] : [path])),
      sure: answer.findings.some(({ certainty }) => certainty === 'sure'),
    };
  } finally {
    await remote.remove();
  }
}

const isFound = ({ findings }: UndoneWork, commitId: string | undefined, path: string): boolean =>
  findings.some((finding) => finding.commitId === commitId && finding.path === path);

import {
  type Answerer,
  craftPack,
  line,
  scriptedGitServer,
  sendPack,
  type ServedGit,
  sideBand,
} from '@plat/testing';
import { table, verdict } from '../table';
import { hostileLanding, hostileTexts } from './hostile-texts';
import { Subject } from './subject';
import type { Asked } from './subject/exchange';
import { childrenOf, usedBy } from './subject/family';

const MIB = 1024 ** 2;
const PEAK_MIB_MAX = 256;
const PROCESSOR_SECONDS_MAX = 5;
const SAMPLE_MS = 20;

const PACKFILE = line('acknowledgments\n') + line('ready\n') + '0001' + line('packfile\n');
const TIP = 'c'.repeat(40);

/** An answer that continues for as long as the client reads. */
const endless =
  (more: Buffer): Answerer =>
  (response) => {
    response.write(PACKFILE);
    const flood = () => {
      while (!response.destroyed && response.write(more));
      response.once('drain', flood);
    };
    flood();
  };

const parents = `parent ${TIP}\n`.repeat(300_000);
const manyParents = (number: number) => ({
  type: 'commit' as const,
  content: `tree ${TIP}\n${parents}author A <a@b> ${number} +0000\n\nx`,
});
const zeros = { type: 'blob' as const, content: Buffer.alloc(15 * MIB) };

const answers: [name: string, fetch: () => Answerer][] = [
  ['empty lines of a pack without end', () => endless(Buffer.from('0005\u0001'.repeat(10_000)))],
  ['progress without end', () => endless(sideBand(2, Buffer.alloc(60_000)))],
  [
    '15 commits of 300,000 parents',
    () => sendPack(craftPack(Array.from({ length: 15 }, (_, n) => manyParents(n)))),
  ],
  ['16 files of 15 MiB', () => sendPack(craftPack(Array.from({ length: 16 }, () => zeros)))],
];

/** The cost of one hostile answer to the process that reads it. */
interface HostileAnswer {
  name: string;
  reason: string;
  seconds: number;
  processorSeconds: number;
  peakBytes: number;
}

/**
 * Gives each answer to a fresh process. Reads from outside what the workers of the process use, because a worker may
 * end meanwhile.
 */
export async function measureHostile(git: ServedGit, signal: AbortSignal): Promise<HostileAnswer[]> {
  const measured: HostileAnswer[] = [];
  for (const [name, fetch] of answers) {
    const server = await scriptedGitServer({ fetch: fetch(), tip: 'd'.repeat(40) });
    const asked = { condition: 'queue' as const, targetBranch: 'main', commitId: TIP };
    try {
      measured.push({
        name,
        ...(await measureOne({ ...asked, remoteUrl: `${server.origin}/o/r.git` }, signal)),
      });
    } finally {
      await server.close();
    }
  }
  for (const texts of hostileTexts()) {
    const { repository, commitId, remove } = await hostileLanding(texts);
    const asked = { condition: 'content' as const, commitId, sourceBranch: 'source' };
    const name = `texts: ${texts.name}`;
    try {
      measured.push({
        name,
        ...(await measureOne({ ...asked, remoteUrl: `${git.origin}/${repository}` }, signal)),
      });
    } finally {
      await remove();
    }
  }
  return measured;
}

async function measureOne(question: Asked, signal: AbortSignal): Promise<Omit<HostileAnswer, 'name'>> {
  const subject = await Subject.start(signal);
  const used = watch(subject.processId);
  try {
    const { verdict: answer, seconds } = await subject.ask(question);
    if (answer === 'unavailable') throw new Error('The verifier gave the only question up.');
    const reason = 'reason' in answer ? answer.reason : 'verdict' in answer ? answer.verdict : 'accepted';
    return { reason, seconds, ...used() };
  } finally {
    used();
    await subject.stop();
  }
}

/** @returns a function that ends the watch, and returns the most that one worker of the process has used since then */
function watch(processId: number): () => Pick<HostileAnswer, 'processorSeconds' | 'peakBytes'> {
  const before = new Map<string, number>();
  const seen = new Map<string, { processorSeconds: number; peakBytes: number }>();
  const sample = () => {
    for (const pid of childrenOf(processId)) {
      try {
        const used = usedBy(pid);
        if (!before.has(pid)) before.set(pid, used.processorSeconds);
        // A process that is about to end reports no memory any more.
        const peakBytes = Math.max(used.peakBytes, seen.get(pid)?.peakBytes ?? 0);
        seen.set(pid, { ...used, peakBytes });
      } catch {
        // The process has ended meanwhile, so its last sample counts.
      }
    }
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    const all = [...seen].map(([pid, used]) => used.processorSeconds - (before.get(pid) ?? 0));
    return {
      processorSeconds: Math.max(0, ...all),
      peakBytes: Math.max(0, ...[...seen.values()].map(({ peakBytes }) => peakBytes)),
    };
  };
}

export function hostileTable(measured: readonly HostileAnswer[]): string {
  return table([
    ['hostile answers', 'judged', 's', 'cpu s', 'goal', '', 'peak of the worker', 'goal', ''],
    ...measured.map(({ name, reason, seconds, processorSeconds, peakBytes }) => [
      name,
      reason,
      seconds.toFixed(2),
      processorSeconds.toFixed(2),
      `<= ${PROCESSOR_SECONDS_MAX}`,
      verdict(processorSeconds <= PROCESSOR_SECONDS_MAX),
      `${(peakBytes / MIB).toFixed(0)} MiB`,
      `<= ${PEAK_MIB_MAX} MiB`,
      verdict(peakBytes <= PEAK_MIB_MAX * MIB),
    ]),
  ]);
}

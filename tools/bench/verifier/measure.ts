import type { ServedGit } from '@plat/testing';
import { median } from '../median';
import type { Case } from './cases';
import type { BenchRepository } from './repository';
import { Subject } from './subject';
import type { Answered, Asked } from './subject/exchange';
import { measureGit } from './yardsticks';

export interface Measured {
  repository: BenchRepository;
  asked: Case;
  /** Seconds for the first question about a repository that a fresh process is asked after its start. */
  coldSeconds: number;
  /** Seconds of processor time that the process used for that question. */
  processorSeconds: number;
  /** Seconds for the same question, asked again of the same process. */
  warmSeconds: number;
  /** Bodies of the answers that one verification received. */
  bytes: number;
  peakBytes: number;
  blockedMs: number;
  ownBlockedMs: number;
  git: { seconds: number; bytes: number };
}

const WARM_QUESTIONS = 3;

/**
 * Medians of some rounds, and the maxima of memory and blocking. Each round measures first the verifier, then the git
 * command.
 */
export async function measure(
  asked: Case,
  { repository, server }: { repository: BenchRepository; server: ServedGit },
  { rounds, signal }: { rounds: number; signal: AbortSignal },
): Promise<Measured> {
  const remoteUrl = `${server.origin}/${repository.name}`;
  const question = { ...(await asked.ask(repository)), remoteUrl } as Asked;
  const results: Omit<Measured, 'repository' | 'asked'>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    const own = await measureVerifier(question, asked, { server, signal });
    const before = server.bytesSent();
    const seconds = await measureGit(asked.yardstick, question);
    results.push({ ...own, git: { seconds, bytes: server.bytesSent() - before } });
  }
  const middle = (figure: (result: (typeof results)[number]) => number) => median(results.map(figure));
  return {
    repository,
    asked,
    coldSeconds: middle(({ coldSeconds }) => coldSeconds),
    processorSeconds: middle(({ processorSeconds }) => processorSeconds),
    warmSeconds: middle(({ warmSeconds }) => warmSeconds),
    bytes: middle(({ bytes }) => bytes),
    peakBytes: Math.max(...results.map(({ peakBytes }) => peakBytes)),
    blockedMs: Math.max(...results.map(({ blockedMs }) => blockedMs)),
    ownBlockedMs: Math.max(...results.map(({ ownBlockedMs }) => ownBlockedMs)),
    git: { seconds: middle(({ git }) => git.seconds), bytes: middle(({ git }) => git.bytes) },
  };
}

const isAccepted = (verdict: Answered['verdict']): boolean =>
  verdict !== 'unavailable' && ('verdict' in verdict ? verdict.verdict === 'EXACT' : verdict.verified);

async function measureVerifier(
  question: Asked,
  { name, verified }: Case,
  { server, signal }: { server: ServedGit; signal: AbortSignal },
): Promise<Omit<Measured, 'repository' | 'asked' | 'git'>> {
  const subject = await Subject.start(signal);
  try {
    const before = server.bytesSent();
    const cold = await subject.ask(question);
    const bytes = server.bytesSent() - before;
    if (isAccepted(cold.verdict) !== verified) {
      throw new Error(`${name}: judged otherwise, ${JSON.stringify(cold.verdict)}`);
    }
    const warm = [];
    for (let turn = 0; turn < WARM_QUESTIONS; turn += 1) warm.push(await subject.ask(question));
    const { peakBytes, blockedMs, ownBlockedMs } = warm.at(-1) ?? cold;
    return {
      coldSeconds: cold.seconds,
      processorSeconds: cold.processorSeconds,
      warmSeconds: median(warm.map(({ seconds }) => seconds)),
      bytes,
      peakBytes,
      blockedMs,
      ownBlockedMs,
    };
  } finally {
    await subject.stop();
  }
}

import { embeddedVerifierConfig, Verifier } from '@plat/verifier';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Answered, Asked } from './exchange';

/** The program that is measured: a verifier and nothing else, in a process of its own, asked by its parent. */
const verifier = new Verifier(embeddedVerifierConfig);
verifier.warmUp();
/** What the histogram records includes its own pause of one millisecond. */
const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let asked = 0;

process.on('message', (question: Asked) => {
  const index = asked;
  asked += 1;
  if (index === 0) delay.enable();
  void judge(question, index).then((answered) => process.send?.(answered));
});

async function judge(question: Asked, index: number): Promise<Answered> {
  const startedAt = performance.now();
  const verdict = await (question.condition === 'queue'
    ? verifier.verifyQueueLanding(question, question)
    : verifier.verifyHistoryLanding(question, question));
  return {
    index,
    verdict,
    seconds: (performance.now() - startedAt) / 1000,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    blockedMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
  };
}

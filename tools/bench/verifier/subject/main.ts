import { embeddedVerifierConfig, Verifier, VerifierUnavailable } from '@plat/verifier';
import type { Answered, Asked } from './exchange';
import { usedByFamily } from './family';
import { LoopWatch } from './loop-watch';

/** The program that is measured: a verifier and nothing else, in a process of its own, asked by its parent. */
const verifier = new Verifier(embeddedVerifierConfig);
verifier.warmUp();
const loop = new LoopWatch();
let asked = 0;

process.on('message', (question: Asked) => {
  const index = asked;
  asked += 1;
  if (index === 0) loop.start();
  void judge(question, index).then((answered) => process.send?.(answered));
});

async function judge(question: Asked, index: number): Promise<Answered> {
  const startedAt = performance.now();
  const before = usedByFamily();
  const verdict = await answer(question).catch((error: unknown) => {
    if (error instanceof VerifierUnavailable) return 'unavailable' as const;
    throw error;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const after = usedByFamily();
  return {
    index,
    verdict,
    seconds,
    processorSeconds: after.processorSeconds - before.processorSeconds,
    peakBytes: after.peakBytes,
    blockedMs: loop.longestMs,
    ownBlockedMs: loop.longestOwnMs,
  };
}

function answer(question: Asked): Promise<Answered['verdict']> {
  // Passes only the tenant as an option: the other fields of a question are no options.
  const { tenantId = '' } = question;
  switch (question.condition) {
    case 'queue':
      return verifier.verifyQueueLanding(question, { tenantId });
    case 'history':
      return verifier.verifyHistoryLanding(question, { tenantId });
    case 'content':
      return verifier.judgeContent(question, { tenantId });
  }
}

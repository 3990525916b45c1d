import type { HistoryLanding, LandedContent, QueueLanding, Verdict, Verifier } from '@plat/verifier';

/** A question to the measured process: one verification. */
export type Asked = { tenantId?: string } & (
  | ({ condition: 'queue' } & Parameters<Verifier['verifyQueueLanding']>[0])
  | ({ condition: 'history' } & Parameters<Verifier['verifyHistoryLanding']>[0])
  | ({ condition: 'content' } & Parameters<Verifier['judgeContent']>[0])
);

/** An answer of the measured process, which answers in the order in which verifications end. */
export interface Answered {
  /** The place of the question among all that were asked, from 0. */
  index: number;
  /** `unavailable` if the verification gave its place up to others. */
  verdict: Verdict<QueueLanding> | Verdict<HistoryLanding> | LandedContent | 'unavailable';
  seconds: number;
  /** The processor time that the process and its workers used meanwhile. */
  processorSeconds: number;
  /** The most memory that the process and its workers have held so far, in bytes. */
  peakBytes: number;
  /** The longest time so far for which the event loop of the process was blocked, in milliseconds. */
  blockedMs: number;
  /** The same without the time for which the process waited for a processor. */
  ownBlockedMs: number;
}

import type { VerifierConfig } from '../config';
import type { HistoryQuestion } from '../judge/history-landing';
import type { QueueQuestion } from '../judge/queue-landing';
import type { HistoryLanding, QueueLanding, Verdict } from '../verdict';

/** What a worker thread is asked; it answers with one verdict and takes the next question after that. */
export type Question =
  | ({ condition: 'queue'; address: string } & QueueQuestion)
  | ({ condition: 'history'; address: string } & HistoryQuestion);

export type Answer = Verdict<QueueLanding> | Verdict<HistoryLanding>;

/** What a worker thread is started with. */
export type WorkerStart = VerifierConfig;

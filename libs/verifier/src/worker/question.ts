import type { VerifierConfig } from '../config';
import type { LandedContent } from '../content/content-verdict';
import type { ContentQuestion } from '../content/judge-content';
import type { HistoryQuestion } from '../judge/history-landing';
import type { QueueQuestion } from '../judge/queue-landing';
import type { HistoryLanding, QueueLanding, Verdict } from '../verdict';

/** Has it landed? */
export type LandingQuestion =
  | ({ condition: 'queue'; address: string } & QueueQuestion)
  | ({ condition: 'history'; address: string } & HistoryQuestion);

export type LandingVerdict = Verdict<QueueLanding> | Verdict<HistoryLanding>;

/** A question for a worker process, which answers one verdict and then takes the next question. */
export type Question = LandingQuestion | ({ condition: 'content'; address: string } & ContentQuestion);

export type Answer = LandingVerdict | LandedContent;

/** The message that starts a worker process. */
export type WorkerStart = VerifierConfig;

/** A worker's message about its place. */
export type PlaceWord = { place: 'left' | 'wanted' };

/** The answer to `wanted`, once the worker has a place again. */
export type PlaceGiven = { place: 'given' };

export function isPlaceWord(message: unknown): message is PlaceWord | PlaceGiven {
  return typeof message === 'object' && message !== null && 'place' in message;
}

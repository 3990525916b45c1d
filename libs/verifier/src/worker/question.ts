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

/** What a worker process is asked; it answers with one verdict and takes the next question after that. */
export type Question = LandingQuestion | ({ condition: 'content'; address: string } & ContentQuestion);

export type Answer = LandingVerdict | LandedContent;

/** What a worker process is started with. */
export type WorkerStart = VerifierConfig;

/** What a worker says of its place while it judges. */
export type PlaceWord = { place: 'left' | 'wanted' };

/** What it is answered when it has one again. */
export type PlaceGiven = { place: 'given' };

export function isPlaceWord(message: unknown): message is PlaceWord | PlaceGiven {
  return typeof message === 'object' && message !== null && 'place' in message;
}

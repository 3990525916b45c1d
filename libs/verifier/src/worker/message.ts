import type { VerifierConfig } from '../config';

/** What a worker process is started with. */
export type WorkerStart = VerifierConfig;

/** What a worker says of its place while it judges. */
export type PlaceWord = { place: 'left' | 'wanted' };

/** What it is answered when it has one again. */
export type PlaceGiven = { place: 'given' };

export function isPlaceWord(message: unknown): message is PlaceWord | PlaceGiven {
  return typeof message === 'object' && message !== null && 'place' in message;
}

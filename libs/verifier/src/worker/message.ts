import type { VerifierConfig } from '../config';

/** The message that starts a worker process. */
export type WorkerStart = VerifierConfig;

/** A worker's message about its place. */
export type PlaceWord = { place: 'left' | 'wanted' };

/** The answer to `wanted`, once the worker has a place again. */
export type PlaceGiven = { place: 'given' };

export function isPlaceWord(message: unknown): message is PlaceWord | PlaceGiven {
  return typeof message === 'object' && message !== null && 'place' in message;
}

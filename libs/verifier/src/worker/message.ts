import type { VerifierConfig } from '../config';
import type { Question } from '../judge/question';
import type { GitRequest } from '../transport/git-request';

/** The message that starts a worker process. */
export type WorkerStart = VerifierConfig;

/** A worker's message about its place. */
export type PlaceWord = { place: 'left' | 'wanted' };

/** The answer to `wanted`, once the worker has a place again. */
export type PlaceGiven = { place: 'given' };

/** A question as it is sent: a worker reports its requests only if somebody records them. */
export type AskedQuestion = Question & { reportsRequests?: boolean };

/** A worker's message about a request that it has made to the remote. */
export type RequestMade = { gitRequest: GitRequest };

export function isRequestMade(message: unknown): message is RequestMade {
  return typeof message === 'object' && message !== null && 'gitRequest' in message;
}

export function isPlaceWord(message: unknown): message is PlaceWord | PlaceGiven {
  return typeof message === 'object' && message !== null && 'place' in message;
}

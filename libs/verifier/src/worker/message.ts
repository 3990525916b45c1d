import type { VerifierConfig } from '../config';
import type { Question } from '../judge/question';
import type { GitRequest } from '../transport/git-request';

/** The message that starts a worker process. */
export type WorkerStart = VerifierConfig;

/** A worker's message about its slot. */
export type SlotWord = { slot: 'yielded' | 'wanted' };

/** The answer to `wanted`, once the worker has a slot again. */
export type SlotResumed = { slot: 'resumed' };

/** A question in the form in which it is sent. A worker reports its requests only if the service records them. */
export type AskedQuestion = Question & { reportsRequests?: boolean };

/** A worker's message about a request that it has made to the remote. */
export type RequestMade = { gitRequest: GitRequest };

export function isRequestMade(message: unknown): message is RequestMade {
  return typeof message === 'object' && message !== null && 'gitRequest' in message;
}

export function isSlotWord(message: unknown): message is SlotWord | SlotResumed {
  return typeof message === 'object' && message !== null && 'slot' in message;
}

import { isId } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';
import { Args } from '../terminal/oclif';

/** The review that a command is about. */
export const reviewIdArgument = Args.string({
  description: 'Id of the review',
  required: true,
  ignoreStdin: true,
  parse: async (text) => requireId(text, 'The review'),
});

/**
 * What is no UUID is refused before it becomes part of a call.
 *
 * @param listing the command that shows ids of that kind
 * @throws Failure INVALID_ID
 */
export function requireId(text: string, what: string, listing = 'plat review list'): string {
  if (isId(text)) return text;
  throw new Failure('INVALID_ID', `${what} ${JSON.stringify(text)} is not an id.`, {
    next: listing,
  });
}

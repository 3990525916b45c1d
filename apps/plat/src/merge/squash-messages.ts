import { isBlank } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';

/**
 * Parses the messages on stdin: one for each source, in the order of the sources, with NUL between them.
 * A NUL at the end is allowed. Rule G5.
 *
 * @throws Failure MESSAGES_MISMATCH, BLANK_MESSAGE
 */
export function readSquashMessages(text: string, sources: readonly string[]): Map<string, string> {
  const messages = text.replace(/\0$/, '').split('\0');
  if (messages.length !== sources.length) {
    throw new Failure(
      'MESSAGES_MISMATCH',
      `Messages on stdin: ${messages.length}; sources: ${sources.length}. Each source needs one.`,
      {
        next: "printf 'first message\\0second message' | plat exec gate-merge --messages-on-stdin --source <first> --source <second>",
      },
    );
  }
  const paired = sources.map((source, at): [string, string] => [source, (messages[at] ?? '').trim()]);
  const blank = paired.find(([, message]) => isBlank(message));
  if (blank) throw new Failure('BLANK_MESSAGE', `The message for ${blank[0]} is blank.`);
  return new Map(paired);
}

/** The names of live reviews as messages: name by source branch. @throws Failure NO_MESSAGE */
export function requireReviewNames(
  names: ReadonlyMap<string, string>,
  sources: readonly string[],
): ReadonlyMap<string, string> {
  const without = sources.filter((source) => !names.has(source));
  if (without.length === 0) return names;
  throw new Failure(
    'NO_MESSAGE',
    `No live review proposes ${without.join(', ')}, so the merge has no message.`,
    {
      details: { sources: without },
      next: 'create the review, or give the messages on stdin, with NUL between them: --messages-on-stdin',
    },
  );
}

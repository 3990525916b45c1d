import { repositoryOfCheckout } from '../gate/checkout';
import type { GateMergeInput } from '../gate/gate-merge';
import type { Git } from '../gate/git';
import { readSquashMessages, requireReviewNames } from '../gate/squash-messages';
import type { Platform } from '../session/platform';
import type { PipedInput } from '../terminal/standard-input';
import { liveReviewNames } from './live-review-names';

export interface GateMessagesInput {
  git: Git;
  sources: readonly string[];
  targetBranch: string;
  /** Reads stdin. */
  read(): Promise<PipedInput>;
  /** Called if stdin is empty. @throws Failure with exit code 127 */
  platform(): Promise<Platform>;
  note(line: string): void;
}

/**
 * The messages of a gate: from stdin, otherwise the names of the live reviews. Decision G5.
 *
 * @throws Failure MESSAGES_MISMATCH, BLANK_MESSAGE, or one with exit code 127 if there is no platform alias
 */
export async function gateMessages(input: GateMessagesInput): Promise<GateMergeInput['messages']> {
  const { git, sources, targetBranch } = input;
  const piped = await input.read();
  if (typeof piped === 'object') {
    const messages = readSquashMessages(piped.text, sources);
    return () => Promise.resolve(messages);
  }
  const { api } = await input.platform();
  if (piped === 'silent') input.note('Nothing came on stdin: the messages are the names of the reviews.');
  return async (found) => {
    const names = await liveReviewNames(api, await repositoryOfCheckout(git), targetBranch);
    return requireReviewNames(names, found);
  };
}

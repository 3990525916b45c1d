import { repositoryOfCheckout } from '../checkout/checkout';
import type { GateMergeInput } from '../gate/gate-merge';
import type { Git } from '../git/git';
import { readSquashMessages, requireReviewNames } from '../merge/squash-messages';
import type { Platform } from '../platform/platform';
import { liveReviewNames } from './live-review-names';

export interface GateMessagesInput {
  git: Git;
  sources: readonly string[];
  targetBranch: string;
  /** Reads the messages; undefined if the caller announced none. */
  read?: (() => Promise<string>) | undefined;
  /** Called without messages. @throws Failure with exit code 127 */
  platform(): Promise<Platform>;
}

/**
 * The messages of a gate: those that the caller announced, otherwise the names of the live reviews. Rule G5.
 *
 * @throws Failure MESSAGES_MISMATCH, BLANK_MESSAGE, or one with exit code 127 if there is no platform alias
 */
export async function gateMessages(input: GateMessagesInput): Promise<GateMergeInput['messages']> {
  const { git, sources, targetBranch } = input;
  if (input.read) {
    const messages = readSquashMessages(await input.read(), sources);
    return () => Promise.resolve(messages);
  }
  const { api } = await input.platform();
  return async (found) => {
    const names = await liveReviewNames(api, await repositoryOfCheckout(git), targetBranch);
    return requireReviewNames(names, found);
  };
}

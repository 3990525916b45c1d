import { pathToFileURL } from 'node:url';
import { embeddedVerifierConfig } from '../config';
import type { LandedContent } from '../content/content-verdict';
import type { ContentQuestion } from '../content/judge-content';
import { GuardedHttp } from '../transport/guarded-http';
import { answerQuestion } from './answer-question';

/**
 * Judges a landing in a repository of this machine, in this process, as the service will judge it in the remote one. For a
 * client, before it pushes.
 *
 * @param folder of a repository without a work tree; it has both branches of the question
 * @param gitSearchPath PATH on which git is searched
 * @returns UNKNOWN if the repository cannot be read
 */
export async function judgeHere(
  folder: string,
  question: ContentQuestion,
  gitSearchPath: string | undefined,
): Promise<LandedContent> {
  const address = pathToFileURL(folder).href;
  const config = { ...embeddedVerifierConfig, gitSearchPath };
  const network = new GuardedHttp(config);
  try {
    const asked = { condition: 'content' as const, address, ...question };
    return (await answerQuestion(asked, config, { network })) as LandedContent;
  } finally {
    network.close();
  }
}

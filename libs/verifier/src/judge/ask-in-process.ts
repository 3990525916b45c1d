import { embeddedVerifierConfig, type VerifierConfig } from '../config';
import type { LandedContent } from '../content/content-verdict';
import { GuardedHttp } from '../transport/guarded-http';
import { answerQuestion } from './answer-question';
import type { Answer, LandingQuestion, LandingVerdict, Question } from './question';

/** For specs: answers a question without the worker process around it. */
export function askInProcess(question: LandingQuestion, config?: VerifierConfig): Promise<LandingVerdict>;
export function askInProcess(
  question: Question,
  config?: VerifierConfig,
): Promise<LandingVerdict | LandedContent>;
export async function askInProcess(
  question: Question,
  config: VerifierConfig = embeddedVerifierConfig,
): Promise<Answer> {
  const network = new GuardedHttp(config);
  try {
    return await answerQuestion(question, config, { network });
  } finally {
    network.close();
  }
}

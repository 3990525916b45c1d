import { nextStep } from '../terminal/next-step';
import { requireClaimed } from './claimed-answer';

/** Refuses an answer about a review, or a build of one, that contradicts its success. @throws Failure ANSWER_CONTRADICTS */
export function requireClaimedReview<Answer extends { reviewId?: string }>(
  answer: Answer,
  claimed: Partial<Answer>,
): Answer {
  const shown = answer.reviewId === undefined ? [] : [answer.reviewId];
  return requireClaimed(answer, claimed, nextStep('plat review show', shown, '; then repeat the command'));
}

import type { Review } from '@plat/api-client';
import { type NextStep, nextStep } from '../terminal/next-step';

/** The next step for a review at a status, for the person who asks. Shown in docs/states.md. */
export function wayOn({ reviewId, status }: Pick<Review, 'reviewId' | 'status'>): NextStep {
  switch (status) {
    case 'OPEN':
      return nextStep('plat review record-build', [reviewId]);
    case 'FAILED':
      return nextStep('mend the branch and push it; then plat review record-build', [reviewId]);
    case 'READY':
      return nextStep('plat review queue list');
    case 'MERGE':
      return nextStep('plat drive');
    case 'MERGED':
      return nextStep('plat review verify', [reviewId]);
    case 'CLOSED':
      return nextStep('plat review create');
  }
}

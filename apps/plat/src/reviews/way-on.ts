import type { Review } from '@plat/api-client';

/** The next step for a review at a status, for the person who asks. Shown in docs/states.md. */
export function wayOn({ reviewId, status }: Pick<Review, 'reviewId' | 'status'>): string {
  switch (status) {
    case 'OPEN':
      return `plat review record-build ${reviewId}`;
    case 'FAILED':
      return `mend the branch and push it; then plat review record-build ${reviewId}`;
    case 'READY':
      return 'plat review queue list';
    case 'MERGE':
      return 'plat drive';
    case 'MERGED':
      return `plat review verify ${reviewId}`;
    case 'CLOSED':
      return 'plat review create';
  }
}

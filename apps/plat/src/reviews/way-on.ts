import type { Review } from '@plat/api-client';

/** What leads on from where a review is, for the person who asks for it. Shown in docs/states.md. */
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

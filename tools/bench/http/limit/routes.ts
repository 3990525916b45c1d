import { newId } from '@plat/contracts/core';
import type { SqlCall } from '@plat/database';

/** A route of the limit server: the template that it audits, and the statement that the services run. */
export interface LimitRoute {
  method: string;
  template: string;
  path: RegExp;
  /** Whether it answers with all rows or only the first. */
  list?: true;
  call(id: string, body: Record<string, unknown>): SqlCall;
}

export const ROUTES: readonly LimitRoute[] = [
  {
    method: 'GET',
    template: '/v1/reviews',
    path: /^\/v1\/reviews$/,
    list: true,
    call: () => ({ name: 'reviews.page_reviews', args: [...Array<null>(9).fill(null), 200] }),
  },
  {
    method: 'GET',
    template: '/v1/reviews/{review_id}',
    path: /^\/v1\/reviews\/([^/]+)$/,
    call: (reviewId) => ({ name: 'reviews.get_review', args: [reviewId] }),
  },
  {
    method: 'POST',
    template: '/v1/reviews/{review_id}/builds',
    path: /^\/v1\/reviews\/([^/]+)\/builds$/,
    call: (reviewId, { successful, commitId, version }) => ({
      name: 'builds.report_review_build',
      args: [reviewId, newId(), 'RECORDED', successful, commitId, version, null, null],
    }),
  },
  {
    method: 'POST',
    template: '/v1/reviews/merge-queue/advance',
    path: /^\/v1\/reviews\/merge-queue\/advance$/,
    call: (_id, { targetBranch }) => ({ name: 'reviews.advance', args: [targetBranch, null, false] }),
  },
];

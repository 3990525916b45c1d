import { type ApiClient, listReviews, type Review, type ReviewFilters, whoami } from '@plat/api-client';
import { chooseRepository, namedRepository } from '../checkout/repository-choice';
import type { Platform } from '../platform/platform';
import { userIdOf } from '../users/user-names';

/** The filters of `plat review list`. */
export interface ReviewSelection {
  repository?: string | undefined;
  /** Whether to take the current checkout's repository. */
  here: boolean;
  'target-branch'?: string | undefined;
  'source-branch'?: string | undefined;
  status?: Review['status'] | undefined;
  /** Id or name. */
  author?: string | undefined;
  /** Created by the caller. */
  mine: boolean;
  /** Id or name. */
  reviewer?: string | undefined;
  /** Most reviews to return, the newest. */
  limit?: number | undefined;
}

export interface SelectedReviews {
  reviews: Review[];
  /** Number of matching reviews. */
  matched: number;
}

/** Selects the reviews that match every given filter; no filter is the default of another. Spec: API, Reviews. */
export async function selectReviews(
  configFolder: string,
  { alias, api }: Platform,
  selection: ReviewSelection,
): Promise<SelectedReviews> {
  const { repository, here, mine, author, reviewer, limit } = selection;
  const query: ReviewFilters = {
    repository: here ? await chooseRepository(undefined) : repository && namedRepository(repository),
    targetBranch: selection['target-branch'],
    sourceBranch: selection['source-branch'],
    status: selection.status,
    authorUserId: mine ? await callerId(api) : await userIdOf(configFolder, alias, author),
    reviewerUserId: await userIdOf(configFolder, alias, reviewer),
  };
  const all = await listReviews(api, { query });
  return { reviews: limit === undefined ? all : all.slice(0, limit), matched: all.length };
}

async function callerId(api: ApiClient): Promise<string> {
  return (await whoami(api)).userId;
}

import type { UndoneFinding } from '@plat/contracts/reviews';
import type { Database, TenantScope } from '@plat/database';

/** A row of reviews.due_undone_work: a merge that is not examined yet. */
export interface DueMergeRow {
  review_id: string;
  age_ms: number;
  repository: string;
  remote_url: string;
  /** The landed commit, and the tip of the source; null if they are not known, or not yet. */
  commit_id: string | null;
  source_tip: string | null;
  /** The review's name, and its comments with a word of reverting. */
  texts: string[];
}

/** The newest merges of a tenant that are not examined yet. */
export function findDueMerges(database: Database, scope: TenantScope, most: number): Promise<DueMergeRow[]> {
  return database.call(scope, { name: 'reviews.due_undone_work', args: [most] });
}

/** A row of reviews.landings_of_commits. */
export interface LandingRow {
  commit_id: string;
  review_id: string;
  name: string;
  source_branch: string;
}

/** The reviews that merged with commits of a repository. */
export function findLandingsOf(
  database: Database,
  scope: TenantScope,
  { repository, commitIds }: { repository: string; commitIds: readonly string[] },
): Promise<LandingRow[]> {
  if (commitIds.length === 0) return Promise.resolve([]);
  return database.call(scope, { name: 'reviews.landings_of_commits', args: [repository, commitIds] });
}

/** The result of an examination, as it is stored. */
export interface ExaminedWork {
  /** Why it could not be examined; then there is nothing else. */
  unknown?: string;
  findings?: readonly (Omit<UndoneFinding, 'reviewId' | 'reviewName'> & { isSaid: boolean })[];
  findingsLeftOut?: number | undefined;
  window?: { landings: number; oldestCommitId?: string; isComplete: boolean };
}

/** Stores an examination. @returns no row if there is one already */
export function recordUndoneWork(
  database: Database,
  scope: TenantScope,
  { reviewId, work }: { reviewId: string; work: ExaminedWork },
): Promise<{ review_id: string }[]> {
  return database.call(scope, {
    name: 'reviews.record_undone_work',
    args: [reviewId, JSON.stringify(work)],
  });
}

/** A place in either direction, with the landing on the other side. */
export type FoundPlace = UndoneFinding & { isSaid: boolean };

/** A row of reviews.get_undone_work. The timestamp is RFC 3339 UTC. */
export interface UndoneWorkRow {
  examined_at: string | null;
  unknown_reason: string | null;
  findings_left_out: number;
  window_landings: number | null;
  window_oldest_commit_id: string | null;
  window_is_complete: boolean | null;
  findings: FoundPlace[];
  undone_by: FoundPlace[];
}

/** The undone work of a visible merge, in both directions. */
export function findUndoneWork(
  database: Database,
  scope: TenantScope,
  reviewId: string,
): Promise<UndoneWorkRow[]> {
  return database.find(scope, { name: 'reviews.get_undone_work', args: [reviewId] });
}

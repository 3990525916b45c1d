import type { CreateBuild } from '@plat/contracts/builds';
import type { BuildKind, Keyset } from '@plat/contracts/core';
import type { Database, KeyedScope, TenantScope } from '@plat/database';

/** A row of builds.builds. Timestamps are RFC 3339 UTC. */
export interface BuildRow {
  tenant_id: string;
  build_id: string;
  review_id: string | null;
  review_name: string | null;
  environment_id: string | null;
  environment_name: string | null;
  kind: BuildKind;
  successful: boolean;
  commit_id: string;
  version: string | null;
  failure_detail: string | null;
  vouched: boolean | null;
  created_at: string;
}

/** A checked report. Its fields depend on its kind. */
export interface BuildReport {
  buildId: string;
  kind: BuildKind;
  successful: boolean;
  commitId: string;
  version?: string;
  failureDetail?: string;
  /** Set for a successful GATE build that rests on the caller's word. */
  vouched?: true;
  environmentId?: string;
}

/** Filters as the database takes them, and the row after which the page begins. `rows` is the page size plus one. */
export interface BuildSelection {
  environmentId?: string;
  kind?: BuildKind;
  successful?: boolean;
  since?: string;
  until?: string;
  after?: Keyset;
  rows: number;
}

/** @throws NOT_FOUND for an environment that is not the tenant's */
export function reportEnvironmentBuild(
  database: Database,
  scope: KeyedScope,
  build: Omit<CreateBuild, 'kind'> & { buildId: string },
): Promise<BuildRow[]> {
  const { environmentId, buildId, successful, commitId, version, failureDetail = null } = build;
  return database.create(scope, {
    name: 'builds.report_environment_build',
    args: [environmentId, buildId, successful, commitId, version, failureDetail],
  });
}

export function listBuilds(
  database: Database,
  scope: TenantScope,
  { environmentId, kind, successful, since, until, after, rows }: BuildSelection,
): Promise<BuildRow[]> {
  const filters = [environmentId, kind, successful, since, until, after?.createdAt, after?.id];
  return database.call(scope, {
    name: 'builds.list_builds',
    args: [...filters.map((value) => value ?? null), rows],
  });
}

/** Records a build and moves its review, in one transaction. Returns no row when the tenant has no such review. */
export function reportReviewBuild(
  database: Database,
  scope: KeyedScope,
  { reviewId, ...build }: BuildReport & { reviewId: string },
): Promise<BuildRow[]> {
  const {
    buildId,
    kind,
    successful,
    commitId,
    version = null,
    failureDetail = null,
    environmentId = null,
    vouched = null,
  } = build;
  return database.create(scope, {
    name: 'builds.report_review_build',
    args: [reviewId, buildId, kind, successful, commitId, version, failureDetail, environmentId, vouched],
  });
}

/** A review's builds that follow the build `after`, newest first. @throws NOT_FOUND for a review that is not visible */
export function pageReviewBuilds(
  database: Database,
  scope: TenantScope,
  { reviewId, after, rows }: { reviewId: string; after: BuildRow | undefined; rows: number },
): Promise<BuildRow[]> {
  const place = [after?.created_at, after?.build_id];
  return database.page(scope, {
    name: 'builds.page_review_builds',
    args: [reviewId, ...place.map((value) => value ?? null), rows],
  });
}

export function findReviewBuild(
  database: Database,
  scope: TenantScope,
  { reviewId, buildId }: { reviewId: string; buildId: string },
): Promise<BuildRow[]> {
  return database.find(scope, { name: 'builds.get_review_build', args: [reviewId, buildId] });
}

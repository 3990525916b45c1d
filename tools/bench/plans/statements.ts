import { TEST_USERS } from '@plat/testing';
import type { Seeded } from './seed';

/** A statement of a service, as its login sends it. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
  /** Rows of a page; undefined for a statement that writes, which is rolled back. */
  rows?: number;
}

/** Rows that a page reads: 50, and one that says whether there is a next one. */
const PAGE = 51;
/** Follows every row of the same moment. */
const LAST_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff';

type TrailFilter = Partial<Record<'since' | 'until' | 'user' | 'type' | 'method' | 'path' | 'after', string>>;
type BuildFilter = Partial<Record<'environment' | 'kind' | 'since' | 'until' | 'after', string>> & {
  successful?: boolean;
};

/** Every statement of the services on the trail and on the builds, each reading at its first page and deep in the past. */
export function statementsOn(seeded: Seeded): Statement[] {
  const trail: Record<string, TrailFilter> = {
    trail: {},
    'trail, since and until': { since: seeded.at(0.02), until: seeded.at(0.9) },
    'trail, erunUserId': { user: TEST_USERS.bob.userId },
    'trail, type MCP': { type: 'MCP' },
    'trail, apiMethod': { method: 'DELETE' },
    'trail, apiPath': { path: seeded.rarePath },
    'trail, apiMethod with apiPath': { method: 'GET', path: '/v1/reviews/{review_id}' },
  };
  const builds: Record<string, BuildFilter> = {
    builds: {},
    'builds, environmentId': { environment: seeded.environmentId },
    'builds, kind GATE': { kind: 'GATE' },
    'builds, successful false': { successful: false },
    'builds, since and until': { since: seeded.at(0.02), until: seeded.at(0.9) },
  };
  const deep = seeded.at(0.1);
  return [
    ...Object.entries(trail).flatMap(([name, filter]) => [
      trailPage(name, filter),
      trailPage(`${name}, deep`, { ...filter, after: deep }),
    ]),
    trailRow(),
    ...Object.entries(builds).flatMap(([name, filter]) => [
      buildPage(name, filter),
      buildPage(`${name}, deep`, { ...filter, after: deep }),
    ]),
    ...ofReview(seeded),
  ];
}

function trailPage(name: string, filter: TrailFilter): Statement {
  const { since, until, user, type, method, path, after } = filter;
  const values = [since, until, user, type, method, path, after, after && LAST_ID, PAGE];
  return { name, text: callOf('audit.list_events', values), values, rows: PAGE };
}

function buildPage(name: string, filter: BuildFilter): Statement {
  const { environment, kind, successful, since, until, after } = filter;
  const values = [environment, kind, successful, since, until, after, after && LAST_ID, PAGE];
  return { name, text: callOf('builds.list_builds', values), values, rows: PAGE };
}

/** The issuer and the subject of the caller for whom the statements run. */
export const CALLER = { issuer: 'https://issuer.example', subject: 'subject-of-alice' };

function trailRow(): Statement {
  const row = {
    auditEventId: LAST_ID,
    requestId: 'bench',
    externalUserId: CALLER.subject,
    externalIssuerId: CALLER.issuer,
    type: 'API',
    apiMethod: 'GET',
    apiPath: '/v1/reviews',
  };
  return {
    name: 'a row is added to the trail',
    text: `SELECT audit.record_requests(jsonb_build_array($2::jsonb || jsonb_build_object('proof', current_setting('plat.proof'))))
            WHERE $1::uuid IS NOT NULL`,
    values: [JSON.stringify(row)],
  };
}

const ofReview = ({ reviewId, newestBuildId, newBuildId }: Seeded): Statement[] => [
  {
    name: 'builds of one review',
    text: callOf('builds.page_review_builds', [reviewId, null, null, PAGE]),
    values: [reviewId, null, null, PAGE],
    rows: 10,
  },
  {
    name: 'one build of a review',
    text: callOf('builds.get_review_build', [reviewId, newestBuildId]),
    values: [reviewId, newestBuildId],
    rows: 1,
  },
  {
    name: 'a build is reported',
    text: callOf('builds.report_review_build', Array.from({ length: 8 })),
    values: [reviewId, newBuildId, 'RECORDED', true, 'c'.repeat(40), '1.0.0', null, null],
  },
];

/** The tenant is the first argument of every function. */
const callOf = (name: string, values: readonly unknown[]): string =>
  `SELECT * FROM ${name}($1, ${values.map((_, index) => `$${index + 2}`).join(', ')})`;

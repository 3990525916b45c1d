/** The path of the console below the address of the API. */
export const CONSOLE_PATH = '/console';
/** The page to which the identity provider returns. */
export const SIGNED_IN_PATH = `${CONSOLE_PATH}/signed-in`;

/** The parameters that the query of each place may have; everything else is dropped. */
const QUERIES = {
  yours: [],
  queues: [],
  queue: ['targetBranch', 'repository'],
  statistics: ['targetBranch', 'repository', 'days'],
  review: [],
  releases: ['targetBranch', 'status'],
  'gate-runs': ['targetBranch', 'status'],
  audit: ['erunUserId', 'apiMethod', 'apiPath', 'since', 'until'],
} as const satisfies Record<string, readonly string[]>;

export type PlaceName = keyof typeof QUERIES;

/** A place of the console: a page, the review that it is about, and what narrows it. Each has an address of its own. */
export interface Place {
  name: PlaceName;
  /** Present with `review` only. */
  reviewId?: string | undefined;
  query: Readonly<Record<string, string>>;
}

const REVIEW_PATH = /^\/reviews\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i;

/** The place that an address names; undefined if there is none. */
export function placeAt(pathname: string, search: string): Place | undefined {
  if (pathname !== CONSOLE_PATH && !pathname.startsWith(`${CONSOLE_PATH}/`)) return undefined;
  const path = pathname.slice(CONSOLE_PATH.length);
  const reviewId = REVIEW_PATH.exec(path)?.[1];
  if (reviewId !== undefined) return { name: 'review', reviewId, query: {} };
  const stem = path.replace(/^\/|\/$/g, '') || 'yours';
  if (!Object.hasOwn(QUERIES, stem) || stem === 'review') return undefined;
  const name = stem as PlaceName;
  const given = new URLSearchParams(search);
  const query = QUERIES[name].flatMap((key) => {
    const value = given.get(key);
    return value ? [[key, value] as const] : [];
  });
  return { name, query: Object.fromEntries(query) };
}

/** The address of a place, from the root of its origin. */
export function addressOf({ name, reviewId, query }: Place): string {
  if (name === 'review') return `${CONSOLE_PATH}/reviews/${reviewId}`;
  const path = `${CONSOLE_PATH}/${name === 'yours' ? '' : name}`;
  const given = QUERIES[name].flatMap((key) => {
    const value = query[key];
    return value ? [[key, value] as [string, string]] : [];
  });
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

import { EDGE_TIMEOUT_SECONDS, type RouteEntry, SERVICES, WAIT_SECONDS_MAX } from './route-entry';
import { pathParameters, ROUTES } from './routes';

const entries = Object.entries(ROUTES) as [string, RouteEntry][];

describe('the route table', () => {
  it('"All routes carry the path prefix /v1"', () => {
    for (const [, { template }] of entries) expect(template).toMatch(/^\/v1(\/([a-z-]+|\{[a-z_]+\}))+$/);
  });

  it('has each method of a template once', () => {
    const keys = entries.map(
      ([, { method, template }]) => `${method} ${template.replace(/\{[a-z_]+\}/g, '{}')}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('gives every route to one of the five services', () => {
    for (const [, { service }] of entries) expect(SERVICES).toContain(service);
  });

  it('lets POST answer 201 where it creates, and 200 for the moves and the check of the queue', () => {
    const posts = entries.filter(([, { method }]) => method === 'POST');
    for (const [, { template, status }] of posts) {
      expect(status).toBe(/(advance|check)$/.test(template) ? 200 : 201);
    }
  });

  it('names INVALID_PATH_ID exactly where a path has an id', () => {
    for (const [, { template, codes }] of entries) {
      expect(codes.includes('INVALID_PATH_ID')).toBe(pathParameters(template).length > 0);
    }
  });

  it('names INVALID_BODY wherever a body is read', () => {
    const reading = entries.filter(([, { method }]) => method !== 'GET' && method !== 'DELETE');
    for (const [, { codes }] of reading) expect(codes).toContain('INVALID_BODY');
  });

  it('keeps the reason of an override in the trail, and nothing of any other route', () => {
    const audited = entries.filter(([, { auditedField }]) => auditedField !== undefined);
    expect(audited.map(([name, { auditedField }]) => [name, auditedField])).toEqual([
      ['overrideAdvanceMergeQueue', 'reason'],
    ]);
  });

  it('takes an Idempotency-Key exactly where a review, build, gate run, comment, release or environment is created', () => {
    expect(entries.filter(([, { keyed }]) => keyed).map(([name]) => name)).toEqual([
      'createReview',
      'createComment',
      'createGateRun',
      'createReviewBuild',
      'createBuild',
      'createRelease',
      'createEnvironment',
    ]);
  });

  it('can wait for what has an entity tag', () => {
    for (const [, { waits, revalidates }] of entries) if (waits) expect(revalidates).toBe(true);
    expect(EDGE_TIMEOUT_SECONDS).toBeGreaterThan(WAIT_SECONDS_MAX);
  });

  it('answers with entity tags what clients poll: a review, the queue, its status and a gate run', () => {
    const polled = entries.filter(([, { revalidates }]) => revalidates);
    expect(polled.map(([name]) => name)).toEqual([
      'listMergeQueue',
      'getMergeQueueStatus',
      'getReview',
      'getGateRun',
    ]);
  });

  it('opens nothing but the platform description and the keys of receipts to callers that have not signed in', () => {
    expect(entries.filter(([, entry]) => entry.public).map(([name]) => name)).toEqual([
      'listMergeReceiptKeys',
      'getPlatform',
    ]);
  });
});

describe('the path parameters of a template', () => {
  it('are named in their order', () => {
    expect(pathParameters('/v1/reviews/{review_id}/builds/{build_id}')).toEqual(['review_id', 'build_id']);
    expect(pathParameters('/v1/reviews')).toEqual([]);
  });
});

import { ApiError, type ErrorCode, ERRORS, invalidField, notFound } from './errors';
import { ROUTES } from './routes';

const codes = Object.keys(ERRORS) as ErrorCode[];

describe('the error registry', () => {
  /** Spec: API, Errors; rule A8 for the generic codes. */
  it.each<[ErrorCode, number]>([
    ['INVALID_TRANSITION', 400],
    ['MERGE_NOT_VERIFIED', 409],
    ['EMPTY_QUEUE', 404],
    ['MERGE_QUEUE_OCCUPIED', 409],
    ['MERGE_QUEUE_AMBIGUOUS', 409],
    ['REVIEW_NOT_MERGING', 409],
    ['INVALID_BODY', 400],
    ['INVALID_TARGET_BRANCH', 400],
    ['INVALID_REPOSITORY', 400],
    ['INVALID_PATH_ID', 400],
    ['INVALID_COMMIT_ID', 400],
    ['INVALID_VERSION', 400],
    ['INVALID_QUERY', 400],
    ['BAD_REQUEST', 400],
    ['UNAUTHENTICATED', 401],
    ['FORBIDDEN', 403],
    ['TENANT_UNRESOLVED', 403],
    ['NOT_ENROLLED', 403],
    ['USER_DISABLED', 403],
    ['TENANT_DISABLED', 403],
    ['TENANT_MOVED', 421],
    ['TENANT_MOVING', 503],
    ['NOT_FOUND', 404],
    ['METHOD_NOT_ALLOWED', 405],
    ['CONFLICT', 409],
    ['INTERNAL_ERROR', 500],
    ['NOT_IMPLEMENTED', 501],
    ['SERVICE_UNAVAILABLE', 503],
  ])('has %s with status %i', (code, status) => {
    expect(new ApiError(code).status).toBe(status);
  });

  it('"Nothing in this API returns 422", nor 429', () => {
    for (const code of codes) expect([422, 429]).not.toContain(ERRORS[code].status);
  });

  it('says of every code what it means and when it is answered', () => {
    for (const code of codes) {
      expect(code).toMatch(/^[A-Z][A-Z_]*[A-Z]$/);
      expect(ERRORS[code].message).toMatch(/\S.*\.$/);
      expect(ERRORS[code].when).toMatch(/\S.*\.$/);
    }
  });

  it('has every code that a route names', () => {
    for (const { codes: named } of Object.values(ROUTES)) {
      expect(codes).toEqual(expect.arrayContaining([...named]));
    }
  });
});

describe('an error to answer', () => {
  it('has the message of the registry unless the place that refuses gives one', () => {
    expect(new ApiError('CONFLICT').message).toBe(ERRORS.CONFLICT.message);
    expect(new ApiError('CONFLICT', { message: 'The name is taken.' }).message).toBe('The name is taken.');
  });

  it('has details only if they are given', () => {
    expect(new ApiError('CONFLICT').details).toBeUndefined();
    expect(invalidField('buildId', 'buildId is required.').details).toEqual({ field: 'buildId' });
  });

  it('for a missing row names the kind of row and has no details', () => {
    expect(notFound('review')).toMatchObject({
      code: 'NOT_FOUND',
      message: 'No such review.',
      details: undefined,
    });
  });
});

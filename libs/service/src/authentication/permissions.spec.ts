import { PermissionPattern, ROUTES } from '@plat/contracts/core';
import { type PermissionRule, STOCK_ROLES } from '@plat/database';
import { Permissions } from './permissions';

const ADVANCE = ROUTES.advanceMergeQueue.template;
const OVERRIDE = ROUTES.overrideAdvanceMergeQueue.template;

const byPattern = (apiMethodPattern: string, apiPathPattern: string) =>
  new Permissions([{ apiMethodPattern, apiPathPattern }]);

describe('permissions by (method, template)', () => {
  it('permit nothing without a rule', () => {
    expect(new Permissions([]).permit('GET', '/v1/reviews')).toBe(false);
  });

  it('hold exactly: "A tenant may grant advance without granting override-advance"', () => {
    const permissions = new Permissions([{ apiMethod: 'POST', apiPath: ADVANCE }]);
    expect(permissions.permit('POST', ADVANCE)).toBe(true);
    expect(permissions.permit('POST', OVERRIDE)).toBe(false);
    expect(permissions.permit('GET', ADVANCE)).toBe(false);
  });

  it('take the characters of an exact path as they are', () => {
    const permissions = new Permissions([{ apiMethod: 'GET', apiPath: '/v1/.*' }]);
    expect(permissions.permit('GET', '/v1/reviews')).toBe(false);
  });

  it('hold by a pattern for the whole method and the whole path', () => {
    const permissions = byPattern('GET|POST', '/v1/reviews');
    expect(permissions.permit('POST', '/v1/reviews')).toBe(true);
    expect(permissions.permit('POST', '/v1/reviews/{review_id}')).toBe(false);
    expect(permissions.permit('POST', '/x/v1/reviews')).toBe(false);
    expect(permissions.permit('GETS', '/v1/reviews')).toBe(false);
  });

  it.each(['/v1/x)|(?:.*', '/v1/x)|(.*', '(', '[', 'a{2,1}'])(
    'permit nothing by a pattern that cannot be read alone: %s',
    (pattern) => {
      expect(byPattern('.*', pattern).permit('GET', '/v1/reviews')).toBe(false);
    },
  );

  it('permit what any one of the rules does', () => {
    const permissions = new Permissions([
      { apiMethod: 'GET', apiPath: '/v1/whoami' },
      { apiMethodPattern: 'POST', apiPathPattern: '/v1/.*' },
    ]);
    expect(permissions.permit('GET', '/v1/whoami')).toBe(true);
    expect(permissions.permit('POST', ADVANCE)).toBe(true);
    expect(permissions.permit('GET', '/v1/reviews')).toBe(false);
  });
});

describe('rules that several callers hold', () => {
  const many = (): PermissionRule[] =>
    Array.from({ length: 200 }, (_, n) => ({ apiMethodPattern: 'POST', apiPathPattern: `/v1/x${n}` }));

  it('are one set of permissions, with what was decided on them', () => {
    expect(Permissions.of(many())).toBe(Permissions.of(many()));
    expect(Permissions.of(many().slice(1))).not.toBe(Permissions.of(many()));
  });

  it('have each pattern read once, whatever is asked of them', () => {
    const read = jest.spyOn(PermissionPattern, 'read');
    const rules = many().map((rule) => ({ ...rule, apiPathPattern: `${rule.apiPathPattern}/once` }));
    for (const { method, template } of Object.values(ROUTES)) {
      for (const permissions of [
        Permissions.of(rules),
        new Permissions(rules),
        Permissions.of(rules.slice(1)),
      ]) {
        expect(permissions.permit(method, template)).toBe(false);
      }
    }
    const paths = read.mock.calls.filter(([source]) => source.endsWith('/once'));
    read.mockRestore();
    expect(paths).toHaveLength(rules.length);
  });
});

describe('the stock roles', () => {
  const routes = Object.values(ROUTES);
  const permitted = (role: string) =>
    routes
      .filter(({ method, template }) => new Permissions(STOCK_ROLES[role]!).permit(method, template))
      .map(({ method, template }) => `${method} ${template}`);
  const all = routes.map(({ method, template }) => `${method} ${template}`);

  it('ReadAll reads everything and writes nothing, WriteAll the other way round', () => {
    expect(permitted('ReadAll')).toEqual(all.filter((line) => line.startsWith('GET ')));
    expect(permitted('WriteAll')).toEqual(all.filter((line) => !line.startsWith('GET ')));
  });

  it('TenantAdmin may do everything', () => {
    expect(permitted('TenantAdmin')).toEqual(all);
  });

  it('TenantAgent "reports builds, statuses and gate runs", and reads what the gate needs and itself', () => {
    const read = permitted('TenantAgent').filter((line) => line.startsWith('GET '));
    expect([...new Set(read.map((line) => line.split('/')[2]))].sort()).toEqual([
      'builds',
      'environments',
      'gate-runs',
      'releases',
      'reviews',
      'whoami',
    ]);
    const withheld = permitted('ReadAll').filter((line) => !read.includes(line));
    expect(withheld.sort()).toEqual([
      'GET /v1/audit-events',
      'GET /v1/audit-log/checkpoint',
      'GET /v1/audit-log/consistency-proof',
      'GET /v1/audit-log/entries',
      'GET /v1/audit-log/inclusion-proof',
      'GET /v1/audit-log/keys',
      'GET /v1/audit-log/tile',
      'GET /v1/merge-receipt-keys',
      'GET /v1/platform',
      'GET /v1/roles',
      'GET /v1/roles/{role_id}',
      'GET /v1/users',
      'GET /v1/users/{user_id}/roles',
    ]);
    expect(
      permitted('TenantAgent')
        .filter((line) => !line.startsWith('GET '))
        .sort(),
    ).toEqual([
      'PATCH /v1/gate-runs/{gate_run_id}',
      'PATCH /v1/reviews/{review_id}/status',
      'POST /v1/builds',
      'POST /v1/gate-runs',
      // Reads the repository, so that a drive refuses one that the platform cannot read.
      'POST /v1/reviews/merge-queue/check',
      'POST /v1/reviews/{review_id}/builds',
    ]);
  });
});

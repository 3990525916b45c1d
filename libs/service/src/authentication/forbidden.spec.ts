import { ROUTES } from '@plat/contracts/core';
import { STOCK_ROLES } from '@plat/database';
import { forbidden } from './forbidden';

describe('the refusal of a route', () => {
  it.each([
    ['listUsers', ['ReadAll', 'TenantUser', 'TenantAdmin']],
    ['createUser', ['WriteAll', 'TenantAdmin']],
    ['createReview', ['TenantUser', 'WriteAll', 'TenantAdmin']],
    ['createGateRun', ['TenantAgent', 'TenantUser', 'WriteAll', 'TenantAdmin']],
  ] as const)('names %s and the stock roles that permit it, the narrowest first', (name, roles) => {
    const { method, template } = ROUTES[name];
    const refusal = forbidden({ method, template });
    expect(refusal).toMatchObject({
      code: 'FORBIDDEN',
      details: { apiMethod: method, apiPath: template, roles },
    });
    expect(refusal.message).toContain(`${method} ${template}`);
  });

  it('knows every stock role', () => {
    const named = new Set(
      Object.values(ROUTES).flatMap((route) => forbidden(route).details!.roles as string[]),
    );
    expect([...named].sort()).toEqual(Object.keys(STOCK_ROLES).sort());
  });
});

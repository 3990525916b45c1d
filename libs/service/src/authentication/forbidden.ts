import { ApiError, type RouteEntry } from '@plat/contracts/core';
import { STOCK_ROLES } from '@plat/database';
import { Permissions } from './permissions';

/** The stock roles, from the one that permits least; the first that permits a route is the one to ask for. */
const NARROW_FIRST = ['TenantAgent', 'ReadAll', 'TenantUser', 'WriteAll', 'TenantAdmin'];

/** The refusal of a route that no role of the caller permits. It names the route, and the stock roles that permit it. */
export function forbidden({ method, template }: Pick<RouteEntry, 'method' | 'template'>): ApiError {
  const roles = NARROW_FIRST.filter((name) =>
    Permissions.of(STOCK_ROLES[name] ?? []).permit(method, template),
  );
  return new ApiError('FORBIDDEN', {
    message: `No role of the caller permits ${method} ${template}. Of the stock roles these do: ${roles.join(', ')}.`,
    details: { apiMethod: method, apiPath: template, roles },
  });
}

import type { RoleDetails } from '@plat/api-client';
import { commandsOf, PermissionPattern, type RouteEntry, type RouteName, ROUTES } from '@plat/contracts/core';
import type { Table } from '../terminal/table';

type Permission = RoleDetails['permissions'][number];

/** A route that a role permits, and the command lines that call it. */
export interface PermittedRoute {
  route: string;
  commands: string[];
}

/** The routes that one of the rules permits, in the order of the route table. Public routes need no role. */
export function permittedRoutes(rules: readonly Permission[]): PermittedRoute[] {
  const entries = Object.entries(ROUTES) as [RouteName, RouteEntry][];
  return entries
    .filter(([, route]) => !route.public && rules.some((rule) => permits(rule, route)))
    .map(([name, { method, template }]) => ({
      route: `${method} ${template}`,
      commands: commandsOf(name),
    }));
}

/** Rule F3. */
function permits(rule: Permission, { method, template }: RouteEntry): boolean {
  const { apiMethod, apiPath, apiMethodPattern, apiPathPattern } = rule;
  if (apiMethod !== undefined) return apiMethod === method && apiPath === template;
  return holds(apiMethodPattern, method) && holds(apiPathPattern, template);
}

const holds = (source: string | undefined, text: string): boolean =>
  PermissionPattern.read(source ?? '')?.matches(text) ?? false;

/** The routes that a role permits, one a line. */
export function roleRouteTable({ routes }: RoleDetails & { routes: readonly PermittedRoute[] }): Table {
  return {
    columns: ['ROUTE', { title: 'COMMAND', as: 'elastic' }],
    rows: routes.map(({ route, commands }) => [route, commands.join(', ')]),
    whenEmpty: 'The role permits no route.',
  };
}

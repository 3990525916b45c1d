import { commandsOf, type RouteEntry, type RouteName, ROUTES } from '@plat/contracts/core';
import { STOCK_ROLES } from '@plat/database';
import { Permissions } from '@plat/service';

/** `docs/roles.md`: which stock roles permit each route, and the command of the client that uses it. */
export function renderRoles(): string {
  const entries = Object.entries(ROUTES) as [RouteName, RouteEntry][];
  const rows = entries.map(([name, route]) => row(name, route));
  const parts = [
    '# Roles',
    'Written by `npm run generate` from the route table, `libs/database/src/directory/stock-roles.ts` and ' +
      '`libs/contracts/core/src/route-commands.ts`.',
    'A request is permitted if one of the roles of its caller permits its method and route template. Every tenant has ' +
      'the roles below; `plat admin user roles` gives and takes them, `plat admin role show` lists what one permits, and `POST /v1/roles` and the ' +
      '[directory file](directory-file.md) define others. An operations tenant also reads across tenants, if its ' +
      'caller may read everything.',
    ['| Role | Permits |', '| --- | --- |', ...Object.keys(STOCK_ROLES).map(roleRow)].join('\n'),
    ['| Route | Command | Roles |', '| --- | --- | --- |', ...rows].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The methods and templates of a role, as its rules have them. A `|` would end the cell. */
function roleRow(role: string): string {
  const rules = STOCK_ROLES[role]!.map(({ apiMethod, apiPath, apiMethodPattern, apiPathPattern }) => {
    const text = `${apiMethod ?? apiMethodPattern!} ${apiPath ?? apiPathPattern!}`;
    return `\`${text.replaceAll('|', '\\|')}\``;
  });
  return `| ${role} | ${rules.join('<br>')} |`;
}

function row(name: RouteName, route: RouteEntry): string {
  const { method, template } = route;
  const line = `${method} ${template}`;
  const commands = commandsOf(name).map((command) => `\`${command}\``);
  return `| \`${line}\` | ${commands.join(', ')} | ${rolesOf(route).join(', ')} |`;
}

function rolesOf({ method, template, public: isPublic }: RouteEntry): string[] {
  if (isPublic) return ['none is needed, nor a token'];
  return Object.entries(STOCK_ROLES)
    .filter(([, rules]) => Permissions.of(rules).permit(method, template))
    .map(([role]) => role);
}

import { EDGE_TIMEOUT_SECONDS, type RouteEntry, ROUTES, type ServiceName } from '@plat/contracts/core';

/**
 * The edge's routing by path, for nginx: include it in a `server` block beside one upstream for each service.
 *
 * @throws Error when two services share a template, which a path cannot distinguish.
 */
export function renderEdgeRoutes(routes: readonly RouteEntry[] = Object.values(ROUTES)): string {
  const services = new Map<string, ServiceName>();
  for (const { template, service } of routes) {
    const other = services.get(template) ?? service;
    if (other !== service) throw new Error(`${template} is served by ${other} and by ${service}.`);
    services.set(template, service);
  }
  return [
    '# Written by `npm run generate` from the route table (libs/contracts/core/src/routes.ts).',
    '# Above what the services take: they refuse a body themselves, in the shape of every other refusal.',
    'client_max_body_size 8m;',
    '# The longest answer, that to a report of a merge, is there before.',
    `proxy_read_timeout ${EDGE_TIMEOUT_SECONDS}s;`,
    '# nginx prefers an exact location to a regular expression, and that to the one at the end.',
    ...[...services].sort(byTemplate).map(([template, service]) => location(template, service)),
    '# What no route knows is answered in the shape of every other refusal.',
    'location / { proxy_pass http://platform; }',
    '',
  ].join('\n');
}

function location(template: string, service: ServiceName): string {
  const match = template.includes('{')
    ? `~ "^${template.replace(/\{[a-z_]+\}/g, '[^/]+')}$"`
    : `= ${template}`;
  return `location ${match} { proxy_pass http://${service}; }`;
}

function byTemplate([a]: [string, ServiceName], [b]: [string, ServiceName]): number {
  return a < b ? -1 : 1;
}

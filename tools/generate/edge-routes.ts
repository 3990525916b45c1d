import { CONSOLE_PATH } from '@plat/console/places';
import {
  API_PREFIX,
  EDGE_TIMEOUT_SECONDS,
  noRoute,
  type RouteEntry,
  ROUTES,
  type ServiceName,
  SERVICES,
} from '@plat/contracts/core';

/**
 * The edge's routing by path, for nginx: include it in a `server` block next to one upstream for each service. Only the API
 * and the console are routed, so that whatever else a service answers stays inside.
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
    '# A replica that is being replaced refuses connections: the request goes to another one. A request that may have been',
    '# taken is sent again only if its method allows that, so a POST or PATCH never is.',
    'proxy_connect_timeout 2s;',
    'proxy_next_upstream error timeout;',
    'proxy_next_upstream_tries 3;',
    '# An answer that has not come by then is waited for, and not asked of another replica too.',
    'proxy_next_upstream_timeout 10s;',
    '# nginx prefers an exact location to a regular expression, and that to the one at the end.',
    ...[...services].sort(byTemplate).map(([template, service]) => location(template, service)),
    '# The console: a page on the same origin as the API that it reads.',
    `location = ${CONSOLE_PATH} { proxy_pass http://console; }`,
    `location ${CONSOLE_PATH}/ { proxy_pass http://console; }`,
    '# A service answers an unknown route of the API. Without the first line nginx would answer a redirect.',
    `location = ${API_PREFIX.slice(0, -1)} { proxy_pass http://platform; }`,
    `location ${API_PREFIX} { proxy_pass http://platform; }`,
    "# No other path reaches a service. /metrics, /healthz and /readyz are asked at a replica's own address.",
    `location / { ${answerUnknown()} }`,
    '',
  ].join('\n');
}

/** The answer of nginx itself for a path without a location, in the shape of every other refusal. */
function answerUnknown(): string {
  const { status, code, message } = noRoute();
  const body = JSON.stringify({ code, message });
  if (/['$\\]/.test(body)) throw new Error(`nginx would not take ${body} as text.`);
  const headers = 'default_type application/json; add_header X-Content-Type-Options nosniff always;';
  return `${headers} return ${status} '${body}';`;
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

/** The upstreams that the routes name, for nginx, with places for the addresses of a deployment's replicas. */
export function renderEdgeUpstreams(): string {
  return [
    '# Written by `npm run generate`. Put the addresses of your replicas in, and include it in the `http` block.',
    '# Without max_fails=0 nginx sends nothing to a replica for ten seconds after one refused connection, and answers 502',
    '# once that holds for all replicas of a service.',
    ...[...SERVICES, 'console'].map(upstream),
    '',
  ].join('\n');
}

const upstream = (name: string): string =>
  [
    `upstream ${name} {`,
    ...[1, 2].map((replica) => `  server ${name}-${replica}.example.com:8080 max_fails=0;`),
    '}',
  ].join('\n');

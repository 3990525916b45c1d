import { ROUTES } from '@plat/contracts/core';

/** A path of each route, and its service. */
export const ROUTED = Object.values(ROUTES).map(
  ({ template, service }) => [template.replace(/\{[a-z_]+\}/g, '0190'), `plat-${service}`] as const,
);
/** Paths of the API that no route has: the platform service answers them. */
export const UNKNOWN = ['/v1/reviews/0190/none', '/v1/buildsx', '/v1/metrics'].map(
  (path) => [path, 'plat-platform'] as const,
);
/** Paths outside the API: some of them every service answers inside the cluster. */
export const INSIDE = [
  ...['/metrics', '/healthz', '/readyz', '/%6detrics', '//metrics', '/./metrics', '/metrics?x'],
  ...['http://plat.example/metrics', '/', '/v1', '/v2/reviews', '/console/../metrics'],
];

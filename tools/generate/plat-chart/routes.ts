import {
  API_PREFIX,
  EDGE_TIMEOUT_SECONDS,
  type RouteEntry,
  ROUTES,
  type ServiceName,
} from '@plat/contracts/core';

/** Which paths go to which service, for the chart's templates. */
export interface ChartRoutes {
  /** Seconds within which every request is answered. */
  timeoutSeconds: number;
  /** The paths of the API. The service has those for which no other one has a rule; no path outside is routed. */
  others: { service: ServiceName; prefix: string };
  services: { service: ServiceName; exact: string[]; patterns: string[] }[];
}

/** Answers every path of the API that no other service has, so its own paths need no rules. */
const OTHERS: ServiceName = 'platform';

/**
 * The routing by path, of which the chart makes an HTTPRoute or Ingresses.
 *
 * @throws Error when two services share a template, which a path cannot distinguish.
 */
export function chartRoutes(routes: readonly RouteEntry[] = Object.values(ROUTES)): ChartRoutes {
  const services = new Map<ServiceName, Set<string>>();
  for (const { template, service } of routes) {
    const other = routes.find((each) => each.template === template && each.service !== service);
    if (other) throw new Error(`${template} is served by ${service} and by ${other.service}.`);
    if (service !== OTHERS) services.set(service, (services.get(service) ?? new Set()).add(template));
  }
  return {
    timeoutSeconds: EDGE_TIMEOUT_SECONDS,
    others: { service: OTHERS, prefix: API_PREFIX },
    services: [...services].map(([service, templates]) => {
      const sorted = [...templates].sort();
      return {
        service,
        exact: sorted.filter((template) => !hasId(template)),
        patterns: sorted.filter(hasId).map(patternOf),
      };
    }),
  };
}

const hasId = (template: string): boolean => template.includes('{');
const patternOf = (template: string): string => template.replace(/\{[a-z_]+\}/g, '[^/]+');

export const renderChartRoutes = (): string => `${JSON.stringify(chartRoutes(), null, 2)}\n`;

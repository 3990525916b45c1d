import { type RouteEntry, ROUTES } from '@plat/contracts/core';
import { chartRoutes } from './routes';

const entry = { method: 'GET', status: 200, summary: '', codes: [] } as const;
const routes = chartRoutes();

describe("the chart's routes", () => {
  it('refuse a template that two services share', () => {
    const shared: RouteEntry[] = [
      { ...entry, template: '/v1/builds', service: 'builds' },
      { ...entry, method: 'POST', template: '/v1/builds', service: 'reviews' },
    ];
    expect(() => chartRoutes(shared)).toThrow('/v1/builds is served by builds and by reviews.');
  });

  it.each(Object.values(ROUTES).map(({ template, service }) => [template, service]))(
    'bring a request for %s to %s, and to no other service',
    (template, service) => {
      const path = template.replace(/\{[a-z_]+\}/g, '0190');
      const exact = routes.services.filter((each) => each.exact.includes(path));
      const patterns = routes.services.filter((each) =>
        each.patterns.some((pattern) => new RegExp(`^${pattern}$`).test(path)),
      );
      const found = [...new Set([...exact, ...patterns].map((each) => each.service))];
      expect(found).toEqual(service === routes.others.service ? [] : [service]);
    },
  );
});

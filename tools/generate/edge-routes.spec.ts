import { type RouteEntry, ROUTES, SERVICES } from '@plat/contracts/core';
import { renderEdgeRoutes, renderEdgeUpstreams } from './edge-routes';

const entry = { method: 'GET', status: 200, summary: '', codes: [] } as const;

describe('the edge routes', () => {
  it('send each template to its service', () => {
    const routes: RouteEntry[] = [
      { ...entry, template: '/v1/reviews/{review_id}/builds', service: 'builds' },
      { ...entry, template: '/v1/reviews/merge-queue', service: 'reviews' },
    ];
    const lines = renderEdgeRoutes(routes).split('\n');
    expect(lines).toContain('location = /v1/reviews/merge-queue { proxy_pass http://reviews; }');
    expect(lines).toContain('location ~ "^/v1/reviews/[^/]+/builds$" { proxy_pass http://builds; }');
  });

  it('send the console and all below it to the console', () => {
    const lines = renderEdgeRoutes().split('\n');
    expect(lines).toContain('location = /console { proxy_pass http://console; }');
    expect(lines).toContain('location /console/ { proxy_pass http://console; }');
  });

  it('send unknown routes of the API to a service, and no other path', () => {
    const [api, other] = renderEdgeRoutes()
      .split('\n')
      .filter((line) => line.startsWith('location /v1/ ') || line.startsWith('location / '));
    expect(api).toBe('location /v1/ { proxy_pass http://platform; }');
    expect(other).toMatch(/ return 404 '\{"code":"NOT_FOUND","message":"No such route: [^']*"\}'; \}$/);
    expect(other).not.toContain('proxy_pass');
  });

  it('refuse a template that two services share', () => {
    const routes: RouteEntry[] = [
      { ...entry, template: '/v1/builds', service: 'builds' },
      { ...entry, method: 'POST', template: '/v1/builds', service: 'reviews' },
    ];
    expect(() => renderEdgeRoutes(routes)).toThrow('/v1/builds is served by builds and by reviews.');
  });

  it.each(Object.values(ROUTES).map(({ template, service }) => [template, service]))(
    'bring a request for %s to %s',
    (template, service) => {
      const path = template.replace(/\{[a-z_]+\}/g, '0190');
      const locations = [
        ...renderEdgeRoutes().matchAll(/^location (=|~) "?([^" ]+)"? \{ proxy_pass http:\/\/(\w+); \}/gm),
      ];
      const exact = locations.find(([, kind, target]) => kind === '=' && target === path);
      const first =
        exact ?? locations.find(([, kind, target]) => kind === '~' && new RegExp(target ?? '').test(path));
      expect(first?.[3]).toBe(service);
    },
  );
});

describe('the upstreams', () => {
  it('are those of the routes, and none of their servers is left out after a refused connection', () => {
    const text = renderEdgeUpstreams();
    const names = [...text.matchAll(/^upstream (\w+) \{$/gm)].map(([, name]) => name);
    const routed = [...renderEdgeRoutes().matchAll(/proxy_pass http:\/\/(\w+);/g)].map(([, name]) => name);
    expect(names).toEqual([...SERVICES, 'console']);
    expect(new Set(routed)).toEqual(new Set(names));
    const servers = text.split('\n').filter((line) => line.startsWith('  server '));
    expect(servers).toHaveLength(2 * names.length);
    expect(servers.filter((line) => !line.endsWith(' max_fails=0;'))).toEqual([]);
  });
});

import { EDGE_TIMEOUT_SECONDS, ROUTES } from '@plat/contracts/core';
import { rendered } from './plat-chart';

interface Rule {
  matches: { path: { type: 'Exact' | 'RegularExpression'; value: string } }[];
  backendRefs: { name: string; port: number }[];
  timeouts: { request: string };
}

interface IngressPath {
  path: string;
  pathType: string;
  backend: { service: { name: string } };
}

const ROUTED = Object.values(ROUTES).map(
  ({ template, service }) => [template.replace(/\{[a-z_]+\}/g, '0190'), `plat-${service}`] as const,
);
const UNKNOWN = ['/v1/reviews/0190/none', '/v1/buildsx', '/v1/metrics'].map(
  (path) => [path, 'plat-platform'] as const,
);
/** Paths outside the API: some of them every service answers inside the cluster. */
const INSIDE = [
  ...['/metrics', '/healthz', '/readyz', '/%6detrics', '//metrics', '/./metrics', '/metrics?x'],
  ...['http://plat.example/metrics', '/', '/v1', '/v2/reviews', '/console/../metrics'],
];

describe('the HTTPRoute', () => {
  const [route] = rendered('defaults', 'HTTPRoute');
  const rules = route!.spec.rules as Rule[];

  it('has no more rules and matches than the API allows, and no prefix', () => {
    expect(rules.length).toBeLessThanOrEqual(16);
    for (const { matches } of rules) expect(matches.length).toBeLessThanOrEqual(8);
    const types = rules.flatMap(({ matches }) => matches.map(({ path }) => path.type));
    expect([...new Set(types)].sort()).toEqual(['Exact', 'RegularExpression']);
  });

  it('waits for an answer as long as the edge has to', () => {
    for (const { timeouts } of rules) expect(timeouts.request).toBe(`${EDGE_TIMEOUT_SECONDS}s`);
  });

  /** Gateways read an expression as the whole path or as a part of it; the exact, then the longest one comes first. */
  const WAYS: [string, (pattern: string) => RegExp][] = [
    ['a gateway that compares whole paths', (pattern) => new RegExp(`^(?:${pattern})$`)],
    ['a gateway that compares from the start', (pattern) => new RegExp(`^${pattern}`)],
    ['a gateway that searches', (pattern) => new RegExp(pattern)],
  ];
  describe.each(WAYS)('by %s', (_, compile) => {
    const matches = rules.flatMap(({ matches: all, backendRefs }) =>
      all.map(({ path }) => ({ ...path, service: backendRefs[0]!.name })),
    );

    it.each([...ROUTED, ...UNKNOWN])('%s goes to %s', (path, service) => {
      const exact = matches.find(({ type, value }) => type === 'Exact' && value === path);
      const found = matches
        .filter(({ type, value }) => type === 'RegularExpression' && compile(value).test(path))
        .sort((one, two) => two.value.length - one.value.length);
      expect((exact ?? found[0])?.service).toBe(service);
    });

    it.each(INSIDE)('%s goes nowhere', (path) => {
      expect(matches.filter(({ value }) => value === path || compile(value).test(path))).toEqual([]);
    });
  });
});

describe('the Ingresses', () => {
  const [exact, patterns] = rendered('ingress', 'Ingress').map(({ spec }) => {
    const [rule] = spec.rules as [{ http: { paths: IngressPath[] } }];
    return rule.http.paths;
  }) as [IngressPath[], IngressPath[]];

  it('keep expressions apart from exact paths, because an annotation is of a whole Ingress', () => {
    expect([...new Set(exact.map(({ pathType }) => pathType))].sort()).toEqual(['Exact', 'Prefix']);
    expect([...new Set(patterns.map(({ pathType }) => pathType))]).toEqual(['ImplementationSpecific']);
  });

  it.each([...ROUTED, ...UNKNOWN])('lead %s to %s', (path, service) => {
    const longest = (paths: IngressPath[]) => paths.sort((one, two) => two.path.length - one.path.length)[0];
    const found =
      exact.find((each) => each.path === path && each.pathType === 'Exact') ??
      longest(patterns.filter((each) => new RegExp(`^${each.path}`, 'i').test(path))) ??
      exact.find((each) => each.pathType === 'Prefix' && path.startsWith(each.path));
    expect(found?.backend.service.name).toBe(service);
  });

  it.each(INSIDE)('lead %s nowhere, by prefix or by expression', (path) => {
    const all = [...exact, ...patterns];
    expect(all.filter((each) => new RegExp(`^${each.path}`, 'i').test(path))).toEqual([]);
  });

  it.each(ROUTED)(
    'lead %s to %s where every path of the host is an expression, the longest first',
    (path, service) => {
      const found = [...exact, ...patterns]
        .filter((each) => new RegExp(`^${each.path}`, 'i').test(path))
        .sort((one, two) => two.path.length - one.path.length)[0];
      expect(found?.backend.service.name).toBe(service);
    },
  );
});

import { EDGE_TIMEOUT_SECONDS } from '@plat/contracts/core';
import { INSIDE, ROUTED, UNKNOWN } from './chart-paths';
import { rendered } from './plat-chart';

interface Rule {
  matches: { path: { type: 'Exact' | 'RegularExpression'; value: string } }[];
  backendRefs: { name: string; port: number }[];
  timeouts: { request: string };
}

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

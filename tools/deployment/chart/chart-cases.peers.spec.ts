/**
 * What the charts' tests assert of the golden cases holds for the others too, which helm renders.
 *
 * @peers helm-3
 * @paths deploy/charts tools/deployment libs/testing/src/deployment libs/testing/src/network-policy
 */
import './chart-monitoring.spec';
import './chart-network.spec';
import './chart-pods.spec';
import { INSIDE, ROUTED, UNKNOWN } from './chart-paths';
import { CASES, rendered } from './plat-chart';

interface IngressPath {
  path: string;
  pathType: string;
  backend: { service: { name: string } };
}

it('every case is among those that are judged', () => {
  expect(CASES).toEqual(['defaults', 'everything', 'cloudnativepg', 'ingress']);
});

it('a rollout has a job that is no hook where the chart brings the database, which is not there before', () => {
  const [job, ...others] = rendered('cloudnativepg', 'Job');
  expect(others).toEqual([]);
  expect(job?.metadata.annotations).toBeUndefined();
});

it('the database of the chart has checksums, as the page asks, which PostgreSQL before 18 has not by itself', () => {
  const [cluster] = rendered('cloudnativepg', 'Cluster');
  expect(cluster?.spec.bootstrap).toMatchObject({ initdb: { dataChecksums: true } });
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

/**
 * @peers kubernetes kubectl helm-3 helm-4 gateway-api prometheus-operator cloudnative-pg
 * @paths deploy/charts tools/deployment libs/testing/src/kubernetes
 */
import { chartValuesFile, isGoldenChart, peer, renderedChart } from '@plat/testing';
import { ShellCluster } from '../shell-cluster';
import { CASES, CHART, objectsOf, valuesOf } from './plat-chart';

const HELMS = ['helm3', 'helm4'] as const;
/** That of `npm run golden`. */
const RENDER = `template plat ${CHART} --namespace plat`;

let cluster: ShellCluster;
beforeAll(async () => {
  cluster = await ShellCluster.start({
    definitions: [
      peer('gateway.networking.k8s.io_httproutes.yaml'),
      peer('monitoring.coreos.com_prometheusrules.yaml'),
      peer('monitoring.coreos.com_servicemonitors.yaml'),
      peer('postgresql.cnpg.io_clusters.yaml'),
      peer('postgresql.cnpg.io_poolers.yaml'),
    ],
    namespaces: ['plat'],
    programs: { helm3: 'helm3', helm4: 'helm4' },
  });
  // The strictest standard of Kubernetes for pods: the server warns of whatever violates it.
  await cluster.done('kubectl label namespace plat pod-security.kubernetes.io/warn=restricted');
  // No controller makes it here.
  await cluster.done('kubectl --namespace plat create serviceaccount default');
  // The cluster's own, which the case with everything names.
  await cluster.done('kubectl create priorityclass business-critical --value 1000');
}, 120_000);
afterAll(() => cluster.stop());

const applied = (manifests: string) =>
  cluster.type('kubectl --namespace plat apply --dry-run=server --validate=strict --filename -', {
    input: manifests,
  });

describe.each(CASES)('the case %s', (name) => {
  it(`is rendered alike by helm 3 and helm 4${isGoldenChart(name) ? ', as it is kept' : ''}`, async () => {
    const [three, four] = await Promise.all(
      HELMS.map((helm) => cluster.type(`${helm} ${RENDER} --values ${chartValuesFile(name)}`)),
    );
    expect(three).toEqual({ code: 0, stdout: renderedChart(name), stderr: '' });
    expect(four).toMatchObject({ code: 0, stderr: '' });
    expect(objectsOf(four?.stdout ?? '')).toEqual(objectsOf(renderedChart(name)));
  });

  it('is taken by the API server, which validates strictly, without a warning', async () => {
    const { code, stdout, stderr } = await applied(renderedChart(name));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/ created \(server dry run\)/g)).toHaveLength(objectsOf(renderedChart(name)).length);
  });
});

it.each([
  ['of Kubernetes', 'revisionHistoryLimit:'],
  ['of the Gateway API', 'parentRefs:'],
  ['of the Prometheus operator', 'endpoints:'],
])('the API server refuses a field that a schema %s does not know', async (_, field) => {
  const { code, stderr } = await applied(renderedChart('everything').replace(field, `x${field}`));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`x${field.slice(0, -1)}`) });
});

it('the API server refuses a field that CloudNativePG does not know', async () => {
  const { code, stderr } = await applied(renderedChart('cloudnativepg').replace('initdb:', 'initdbs:'));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('initdbs') });
});

type Values = Record<string, unknown>;
/** Sets a key of values by its path. */
function withKey(path: string, value: unknown, values: Values = valuesOf('defaults')): Values {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...values, [first]: value };
  return { ...values, [first]: withKey(rest.join('.'), value, (values[first] ?? {}) as Values) };
}

describe.each(HELMS)('%s refuses values', (helm) => {
  it.each<[string, string, unknown, RegExp]>([
    ['with a key that the chart does not know', 'service', {}, /service/],
    ['with one of a service', 'services.audit.replica', 3, /services.audit.*replica/s],
    [
      'with one deep down',
      'services.audit.resources.limits.memori',
      '1Gi',
      /services.audit.resources.*memori/s,
    ],
    [
      'with a variable that the service does not read',
      'services.audit.variables.LOG_LEVLE',
      'warn',
      /LOG_LEVLE/,
    ],
    ['with a variable of another service', 'services.audit.variables.PLATFORM_BRAND', 'x', /PLATFORM_BRAND/],
    ['with a secret in plain text', 'services.audit.variables.DATABASE_URL', 'postgres://…', /DATABASE_URL/],
    [
      'with what is for one machine only',
      'services.reviews.variables.VERIFIER_ALLOW_LOCAL',
      true,
      /VERIFIER_ALLOW/,
    ],
    [
      'with a secret that the service does not read',
      'services.audit.secretKeys',
      ['MERGE_RECEIPT_KEY'],
      /secretKeys/,
    ],
    [
      'without a DATABASE_URL',
      'services.audit.secretKeys',
      [],
      /services\.audit\.secretKeys: DATABASE_URL is missing/,
    ],
    ['without a host', 'routes.hostname', '', /routes\.hostname: /],
    ['without a gateway', 'routes.gateway.name', '', /routes\.gateway\.name: /],
    ['without an edge', 'networkPolicy.edge', [], /networkPolicy\.edge: /],
    ['without a database', 'networkPolicy.database.to', [], /networkPolicy\.database\.to: /],
    [
      'with a peer that is misspelled',
      'networkPolicy.edge',
      [{ podselector: {} }],
      /networkPolicy.edge.*podselector/s,
    ],
    ['with no replica', 'services.audit.replicas', 0, /services.audit.replicas/],
    ['with a digest that is none', 'image.digests.audit', 'sha256:1', /image.digests.audit/],
  ])('%s', async (_, path, value, named) => {
    const input = JSON.stringify(withKey(path, value));
    const { code, stderr } = await cluster.type(`${helm} ${RENDER} --values -`, { input });
    expect(code).toBe(1);
    expect(stderr.replaceAll('/', '.')).toMatch(named);
  });
});

/**
 * @peers kubernetes kubectl helm-3 helm-4
 * @paths apps/plat/src/deploy libs/environments deploy/charts/runtime deploy/charts/golden tools/deployment
 * @paths libs/testing/src/kubernetes libs/testing/src/network-policy
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from '@plat/local';
import { execFile, type KubernetesPeer, peer, startKubernetes } from '@plat/testing';

const CHART = join(workspaceRoot(), 'deploy', 'charts', 'runtime');
const GOLDEN = join(workspaceRoot(), 'deploy', 'charts', 'golden');
const HELMS = ['helm3', 'helm4'] as const;
const CASES = readdirSync(join(GOLDEN, 'values')).map((file) => file.replace(/\.json$/, ''));

let kubernetes: KubernetesPeer;
let folder: string;
let kubeconfig: string;

beforeAll(async () => {
  kubernetes = await startKubernetes();
  folder = await mkdtemp(join(tmpdir(), 'plat-chart-'));
  kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubernetes.kubeconfig('admin'), { mode: 0o600 });
  // The strictest standard of Kubernetes for pods: the server warns of whatever violates it.
  const labels = { 'pod-security.kubernetes.io/warn': 'restricted' };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme-dev', labels } };
  await run('kubectl', ['apply', '--filename', '-'], JSON.stringify(namespace));
}, 120_000);
afterAll(async () => {
  await kubernetes.stop();
  await rm(folder, { recursive: true });
});

type Program = 'kubectl' | (typeof HELMS)[number];

/** Runs a program with its input, and returns its exit code and both streams. */
function run(program: Program, args: readonly string[], input = '') {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { HOME: folder, KUBECONFIG: kubeconfig };
    const child = execFile(peer(program), args, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

const valuesOf = (name: string) =>
  JSON.parse(readFileSync(join(GOLDEN, 'values', `${name}.json`), 'utf8')) as {
    variables: Record<string, unknown>;
  };
const render = (helm: (typeof HELMS)[number], values: object) =>
  run(
    helm,
    ['template', 'acme-runtime', CHART, '--namespace', 'acme-dev', '--values', '-'],
    JSON.stringify(values),
  );
const golden = (name: string) => readFileSync(join(GOLDEN, `${name}.yaml`), 'utf8').replace(/^#.*\n/, '');
const objectsOf = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as unknown);
const applied = (manifests: string) =>
  run('kubectl', ['apply', '--dry-run=server', '--validate=strict', '--filename', '-'], manifests);

describe.each(CASES)('the golden case %s', (name) => {
  it('is what helm 3 and helm 4 render', async () => {
    const [three, four] = await Promise.all(HELMS.map((helm) => render(helm, valuesOf(name))));
    expect(three).toEqual({ code: 0, stdout: golden(name), stderr: '' });
    expect(objectsOf(four?.stdout ?? '')).toEqual(objectsOf(golden(name)));
  });

  it('is taken by the API server, which validates strictly, without a warning', async () => {
    const { code, stdout, stderr } = await applied(golden(name));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/ created \(server dry run\)/g)).toHaveLength(
      objectsOf(golden(name)).filter((object) => object !== null).length,
    );
  });
});

it('the API server refuses a field that Kubernetes does not know, and warns of a pod that is less strict', async () => {
  const text = golden('runtime');
  const unknown = await applied(text.replace('revisionHistoryLimit:', 'revisionHistoryLimits:'));
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('revisionHistoryLimits') });
  const less = await applied(
    text.replace('allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true'),
  );
  expect(less.stderr).toContain('would violate PodSecurity');
});

describe.each(HELMS)('%s refuses values', (helm) => {
  const values = valuesOf('gateway');
  const variables = values.variables;

  it.each([
    ['with a key that the chart does not know', { ...values, replica: 0 }, /replica/],
    [
      'with a variable that the contract does not know',
      { ...values, variables: { ...variables, PLAT_X: '1' } },
      /PLAT_X/,
    ],
    [
      'with a secret in place of its reference',
      { ...values, variables: { ...variables, LLM_AUTH_TOKEN: 't-1' } },
      /LLM_AUTH_TOKEN/,
    ],
    [
      'with a variable that is empty',
      { ...values, variables: { ...variables, CLOUDA_REGION: '' } },
      /CLOUDA_REGION/,
    ],
    ['with another number of replicas', { ...values, replicas: 2 }, /replicas/],
    ['without a tenant', { ...values, tenant: undefined }, /tenant/],
  ])('%s', async (_, wrong, named) => {
    const { code, stderr } = await render(helm, wrong);
    expect(code).toBe(1);
    expect(stderr).toMatch(named);
  });
});

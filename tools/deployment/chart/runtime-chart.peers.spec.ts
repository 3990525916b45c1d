/**
 * @peers kubernetes kubectl helm-3 helm-4
 * @paths libs/environments deploy/charts/runtime deploy/charts/golden tools/deployment libs/testing/src/kubernetes
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from '@plat/local';
import { execFile, type KubernetesPeer, peer, startKubernetes } from '@plat/testing';
import { goldenRuntimeCases, runtimeCases } from './runtime-cases';

const CHART = join(workspaceRoot(), 'deploy', 'charts', 'runtime');
const GOLDEN = join(workspaceRoot(), 'deploy', 'charts', 'golden');
const HELMS = ['helm3', 'helm4'] as const;

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

const render = (helm: (typeof HELMS)[number], values: object) =>
  run(
    helm,
    ['template', 'acme-runtime', CHART, '--namespace', 'acme-dev', '--values', '-'],
    JSON.stringify(values),
  );
const golden = (name: string) => readFileSync(join(GOLDEN, `${name}.yaml`), 'utf8').replace(/^#.*\n/, '');

interface RuntimeObject {
  kind: string;
  metadata: { name: string };
  spec: { replicas: number; template: { spec: { containers: [RuntimeContainer] } } };
}

interface RuntimeContainer {
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: object } }[];
  [probe: `${string}Probe`]: object;
}

const objectsOf = (text: string) =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as RuntimeObject | null)
    .filter((object) => object !== null);
const applied = (manifests: string) =>
  run('kubectl', ['apply', '--dry-run=server', '--validate=strict', '--filename', '-'], manifests);

it.each(Object.keys(goldenRuntimeCases()))('helm 3 renders the case %s as it is kept', async (name) => {
  const { stdout } = await render('helm3', runtimeCases()[name]!);
  expect(stdout).toBe(golden(name));
});

describe.each(Object.entries(runtimeCases()))('the case %s', (_, values) => {
  let text: string;
  let objects: RuntimeObject[];
  let deployment: RuntimeObject;
  beforeAll(async () => {
    text = (await render('helm3', values)).stdout;
    objects = objectsOf(text);
    deployment = objects.find(({ kind }) => kind === 'Deployment')!;
  });

  it('is rendered alike by helm 3 and helm 4, without a warning', async () => {
    const [three, four] = await Promise.all(HELMS.map((helm) => render(helm, values)));
    expect(three).toEqual({ code: 0, stdout: text, stderr: '' });
    expect(four).toMatchObject({ code: 0, stderr: '' });
    expect(objectsOf(four!.stdout)).toEqual(objects);
  });

  it('is taken by the API server, which validates strictly, without a warning', async () => {
    const { code, stdout, stderr } = await applied(text);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/ created \(server dry run\)/g)).toHaveLength(objects.length);
  });

  it('has every variable of its values, and secrets by reference only', () => {
    const [{ env }] = deployment.spec.template.spec.containers;
    const set = env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef]);
    expect(Object.fromEntries(set)).toEqual(values.variables);
    expect(objects.map(({ kind }) => kind)).not.toContain('Secret');
  });

  it('has the replicas and Services of its values', () => {
    const { tenant, replicas = 1, mcpEnabled = true } = values;
    expect(deployment.metadata.name).toBe(`${tenant}-runtime`);
    expect(deployment.spec.replicas).toBe(replicas);
    const services = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    expect(services).toEqual(mcpEnabled ? [`${tenant}-mcp`, `${tenant}-ssh`] : [`${tenant}-ssh`]);
  });

  it('has no probe that ends a pod: a first clone may last, and people work in the pod', () => {
    const [container] = deployment.spec.template.spec.containers;
    const probes = Object.keys(container).filter((key) => key.endsWith('Probe'));
    expect(probes).toEqual(['readinessProbe']);
  });
});

it('the API server refuses a field that Kubernetes does not know, and warns of a pod that is less strict', async () => {
  const text = (await render('helm3', runtimeCases()['runtime']!)).stdout;
  const unknown = await applied(text.replace('revisionHistoryLimit:', 'revisionHistoryLimits:'));
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('revisionHistoryLimits') });
  const less = await applied(
    text.replace('allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true'),
  );
  expect(less.stderr).toContain('would violate PodSecurity');
});

describe.each(HELMS)('%s refuses values', (helm) => {
  const values = runtimeCases()['gateway']!;
  const { variables } = values;

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

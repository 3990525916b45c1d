/**
 * @peers kubernetes
 * @paths apps/plat/src/idle libs/environments/src libs/testing/src/kubernetes
 */
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { lastStop } from '@plat/environments';
import { type KubernetesPeer, startKubernetes } from '@plat/testing';
import { type ApiCall, callCluster, type ClusterApi } from './cluster-api';
import { stopDeployment } from './stop-deployment';

jest.setTimeout(120_000);

const STOP = { at: new Date('2026-11-22T12:00:00Z'), reason: 'Idle for at least 5m.' };
const NAME = 'acme-runtime';
const EVENTS = { apiGroups: [''], resources: ['events'], verbs: ['create'] };
const apps = (resource: string, verb: string) => ({
  apiGroups: ['apps'],
  resources: [resource],
  resourceNames: [NAME],
  verbs: [verb],
});
const READ = apps('deployments', 'get');
const SCALE = apps('deployments/scale', 'patch');
const STATUS = apps('deployments/status', 'patch');

/** The rules of the Role that the chart gives to the pod of acme dev. */
async function rulesOfChart(): Promise<object[]> {
  const rendered = join(__dirname, '../../../../deploy/charts/golden/cloud-alias.yaml');
  const documents = parseAllDocuments(await readFile(rendered, 'utf8'));
  const objects = documents.map((document) => document.toJS() as { kind?: string; rules?: object[] } | null);
  const role = objects.find((object) => object?.kind === 'Role');
  if (role?.rules === undefined) throw new Error(`no Role in ${rendered}`);
  return role.rules;
}

interface Deployment {
  spec: { replicas: number };
  metadata: { annotations?: Record<string, string>; uid: string };
}
interface EventList {
  items: Array<{ reason: string; message: string; involvedObject: { name: string; uid: string } }>;
}

describe('the stop of an environment by itself, against an API server, Rule H15,', () => {
  let cluster: KubernetesPeer;
  let folder: string;
  let admin: ClusterApi;
  beforeAll(async () => {
    cluster = await startKubernetes();
    folder = await mkdtemp(join(tmpdir(), 'plat-idle-stop-'));
    const { clusters, users } = JSON.parse(cluster.kubeconfig('admin')) as {
      clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
      users: [{ user: { token: string } }];
    };
    const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
    await writeFile(join(folder, 'ca.crt'), Buffer.from(ca, 'base64'));
    admin = await account('admin', server, users[0].user.token);
  });
  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  /** The API as someone with a token. */
  async function account(name: string, server: string, token: string): Promise<ClusterApi> {
    const accountFolder = await mkdtemp(join(folder, `${name}-`));
    await writeFile(join(accountFolder, 'token'), token);
    await copyFile(join(folder, 'ca.crt'), join(accountFolder, 'ca.crt'));
    return { server, accountFolder };
  }

  async function asAdmin<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> {
    const answer = await callCluster(admin, { method, path, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  /** A namespace with a Deployment whose ServiceAccount may do what the rules allow. */
  async function environment(namespace: string, rules: object[]) {
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    const group = 'rbac.authorization.k8s.io';
    const metadata = { name: NAME, namespace };
    await asAdmin('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await asAdmin('POST', accounts, { metadata });
    await asAdmin('POST', `${rbac}/roles`, { metadata, rules });
    await asAdmin('POST', `${rbac}/rolebindings`, {
      metadata,
      roleRef: { apiGroup: group, kind: 'Role', name: NAME },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
    });
    const labels = { app: NAME };
    await asAdmin('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
      metadata,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'runtime', image: 'none' }] } },
      },
    });
    const { status } = await asAdmin<{ status: { token: string } }>('POST', `${accounts}/${NAME}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    return {
      deployment: { namespace, name: NAME },
      pod: await account(namespace, admin.server, status.token),
      read: () => asAdmin<Deployment>('GET', `/apis/apps/v1/namespaces/${namespace}/deployments/${NAME}`),
      events: () => asAdmin<EventList>('GET', `/api/v1/namespaces/${namespace}/events`),
    };
  }

  it('works with the rights that the chart gives, and leaves its reason on the Deployment and as an event', async () => {
    const { deployment, pod, read, events } = await environment('acme-one', await rulesOfChart());
    expect(await stopDeployment(pod, deployment, STOP)).toEqual({ outcome: 'stopped', warnings: [] });
    const { spec, metadata } = await read();
    expect(spec.replicas).toBe(0);
    expect(lastStop(metadata.annotations)).toEqual({ at: STOP.at.toISOString(), reason: STOP.reason });
    expect((await events()).items).toMatchObject([
      { reason: 'IdleStop', message: STOP.reason, involvedObject: { name: NAME, uid: metadata.uid } },
    ]);
    // Stopped once: a second call writes nothing.
    expect(await stopDeployment(pod, deployment, STOP)).toEqual({ outcome: 'was stopped', warnings: [] });
    expect((await events()).items).toHaveLength(1);
  });

  it('works with the rights of a chart that does not let the pod note the reason, and reports that', async () => {
    const { deployment, pod, read } = await environment('acme-two', [READ, SCALE, EVENTS]);
    const { outcome, warnings } = await stopDeployment(pod, deployment, STOP);
    expect(outcome).toBe('stopped');
    expect(warnings).toEqual([
      expect.stringMatching(/^The stop is not noted: PATCH .* got 403: .*forbidden/),
    ]);
    expect((await read()).spec.replicas).toBe(0);
  });

  it.each<[string, object[]]>([
    ['acme-three', [READ, STATUS, EVENTS]],
    ['acme-four', [SCALE, STATUS, EVENTS]],
  ])(
    'in %s it is refused to a pod with too few rights, and nothing claims a stop',
    async (namespace, rules) => {
      const { deployment, pod, read, events } = await environment(namespace, rules);
      await expect(stopDeployment(pod, deployment, STOP)).rejects.toMatchObject({ code: 'STOP_REFUSED' });
      const { spec, metadata } = await read();
      expect(spec.replicas).toBe(1);
      expect(lastStop(metadata.annotations)).toBeUndefined();
      expect((await events()).items).toEqual([]);
    },
  );

  it("no pod stops another environment's Deployment", async () => {
    const one = await environment('acme-five', [READ, SCALE, STATUS, EVENTS]);
    const other = await environment('acme-six', []);
    await expect(stopDeployment(one.pod, other.deployment, STOP)).rejects.toMatchObject({
      code: 'STOP_REFUSED',
    });
    expect((await other.read()).spec.replicas).toBe(1);
  });

  it('code in a pod gets no other pod by the account of the pod, and reads nothing of its namespace', async () => {
    const { deployment, pod, read } = await environment('acme-seven', await rulesOfChart());
    const { namespace, name } = deployment;
    const [own, core] = [
      `/apis/apps/v1/namespaces/${namespace}/deployments`,
      `/api/v1/namespaces/${namespace}`,
    ];
    const { spec } = await read();
    const other = { hostNetwork: true, containers: [{ name: 'runtime', image: 'another' }] };
    const body = { spec: { template: { spec: other } } };
    const statusOf = async (call: ApiCall) => (await callCluster(pod, call)).status;
    expect(await statusOf({ method: 'PATCH', path: `${own}/${name}`, body })).toBe(403);
    // These take the request, and nothing of the template.
    for (const part of ['status', 'scale']) {
      expect(await statusOf({ method: 'PATCH', path: `${own}/${name}/${part}`, body })).toBe(200);
    }
    expect((await read()).spec).toEqual(spec);
    const lists = ['secrets', 'pods', 'configmaps', 'serviceaccounts', 'events'].map(
      (one) => `${core}/${one}`,
    );
    for (const path of [own, '/api/v1/namespaces', `${core}/secrets/${name}-session`, ...lists]) {
      expect([path, await statusOf({ method: 'GET', path })]).toEqual([path, 403]);
    }
    const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    for (const [path, object] of [
      [`${core}/pods`, { metadata: { name: 'other' }, spec: other }],
      [`${core}/serviceaccounts/${name}/token`, token],
      ['/api/v1/namespaces/acme-six/events', { metadata: { generateName: 'x.' } }],
    ] as const) {
      expect([path, await statusOf({ method: 'POST', path, body: object })]).toEqual([path, 403]);
    }
  });
});

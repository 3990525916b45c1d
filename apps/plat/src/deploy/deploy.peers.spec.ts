/**
 * @peers kubernetes kubectl helm-3 helm-4
 * @paths apps/plat apps/portforward libs/environments libs/forwards deploy/charts/runtime
 * @paths libs/testing/src/kubernetes
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type KubernetesPeer, peer, startKubernetes } from '@plat/testing';
import { GATEWAY, SESSION, TOKEN } from '../black-box/deploy-stand';
import { Machine, PATH } from '../black-box/plat-process';
import { openCluster } from '../cluster/cluster';

let kubernetes: KubernetesPeer;
let scratch: string;
const own = { PATH: process.env.PATH, KUBECONFIG: process.env.KUBECONFIG };
const machines: Machine[] = [];
let environments = 0;

beforeAll(async () => {
  kubernetes = await startKubernetes();
  scratch = await mkdtemp(join(tmpdir(), 'plat-deploy-'));
}, 120_000);
afterAll(async () => {
  Object.assign(process.env, own);
  await Promise.all(machines.map((machine) => machine.remove()));
  await kubernetes.stop();
  await rm(scratch, { recursive: true });
});

/** A machine with one helm and an environment that no other case has. */
async function setUp(helm: 'helm3' | 'helm4', user: 'admin' | 'stranger' = 'admin') {
  const machine = await Machine.create();
  machines.push(machine);
  environments += 1;
  const name = ['acme', `dev${environments}`] as const;
  const namespace = name.join('-');
  const programs = join(machine.home, 'programs');
  await mkdir(programs);
  await symlink(peer('kubectl'), join(programs, 'kubectl'));
  await symlink(peer(helm), join(programs, 'helm'));
  const kubeconfig = join(machine.home, 'kubeconfig');
  await writeFile(kubeconfig, kubernetes.kubeconfig(user), { mode: 0o600 });
  const folder = join(machine.configFolder, ...name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'session.json'), JSON.stringify(SESSION));
  const configure = (text: string) => writeFile(join(folder, 'config.yaml'), `type: remote-agent\n${text}`);
  await configure(GATEWAY);
  const token = join(machine.home, 'token');
  await writeFile(token, TOKEN, { mode: 0o600 });
  await writeFile(join(machine.configFolder, 'config.yaml'), `gateway: { tokenFile: ${token} }\n`);
  const env = { PATH: `${programs}${delimiter}${PATH}`, KUBECONFIG: kubeconfig };
  Object.assign(process.env, env);
  const { kubectl, helm: helmTool } = openCluster({ context: kubernetes.context, namespace });
  const get = async <T>(...args: string[]) =>
    JSON.parse(await kubectl.run(['get', ...args, '--output', 'json'])) as T;
  const deploy = (...args: string[]) => machine.plat(['deploy', ...name, '--json', ...args], { env });
  const ofRelease = (...args: string[]) => helmTool.run([...args, '--namespace', namespace]);
  return { configure, deploy, folder, get, helm: ofRelease, kubectl, namespace, token };
}

interface Deployment {
  metadata: { annotations: Record<string, string> };
  spec: {
    replicas: number;
    template: {
      metadata: { annotations: Record<string, string> };
      spec: { containers: Array<{ image: string; env: Array<{ name: string; valueFrom?: object }> }> };
    };
  };
}

describe.each(['helm3', 'helm4'] as const)('plat deploy with %s on a real API server', (helm) => {
  let world: Awaited<ReturnType<typeof setUp>>;
  const deploy = (...args: string[]) => world.deploy(...args);
  const deployment = () => world.get<Deployment>('deployment', 'acme-runtime');

  beforeEach(async () => {
    world = await setUp(helm);
  });

  it('makes the namespace, the secrets and the release', async () => {
    const run = await deploy();
    expect(run.stderr).toBe('');
    expect(run.json()).toMatchObject({
      namespace: world.namespace,
      kubernetesContext: kubernetes.context,
      secrets: ['acme-runtime-session', 'acme-runtime-gateway', 'acme-runtime-mcp'],
    });
    const secret = await world.get<{ data: Record<string, string> }>('secret', 'acme-runtime-gateway');
    expect(Buffer.from(secret.data.token ?? '', 'base64').toString()).toBe(TOKEN);
    const { env = [] } = (await deployment()).spec.template.spec.containers[0] ?? {};
    expect(env.find(({ name }) => name === 'LLM_AUTH_TOKEN')?.valueFrom).toEqual({
      secretKeyRef: { name: 'acme-runtime-gateway', key: 'token' },
    });
    const values = await world.helm('get', 'values', 'acme-runtime');
    expect(values).not.toContain(TOKEN);
  });

  it('again changes nothing but the release, and starts the pod again only for a changed secret', async () => {
    await deploy();
    const before = await deployment();
    expect((await deploy()).code).toBe(0);
    expect((await deployment()).spec.template).toEqual(before.spec.template);
    await writeFile(world.token, `${TOKEN}-2`);
    expect((await deploy()).code).toBe(0);
    const after = (await deployment()).spec.template.metadata.annotations;
    const versions = before.spec.template.metadata.annotations;
    const [gateway, session] = ['gateway', 'session'].map((use) => `plat.dev/${use}-secret-version`);
    expect(after[session ?? '']).toBe(versions[session ?? '']);
    expect(after[gateway ?? '']).not.toBe(versions[gateway ?? '']);
  });

  it('removes the credential of a gateway that is no longer configured, and keeps the session', async () => {
    await deploy();
    await world.configure('');
    expect((await deploy()).code).toBe(0);
    const { items } = await world.get<{ items: Array<{ metadata: { name: string } }> }>('secrets');
    const names = items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('acme-'));
    expect(names).toEqual(['acme-runtime-mcp', 'acme-runtime-session']);
  });

  it('starts an environment that has scaled itself to 0, and stops one that is configured as stopped', async () => {
    await deploy();
    await world.kubectl.run(['scale', 'deployment', 'acme-runtime', '--replicas', '0']);
    expect((await deploy()).json()).toMatchObject({ replicas: 1 });
    expect((await deployment()).spec.replicas).toBe(1);
    await world.configure('stopped: true\n');
    expect((await deploy()).json()).toMatchObject({ replicas: 0 });
    expect((await deployment()).spec.replicas).toBe(0);
  });

  it("gives the pod's account its own scale and annotations, and nothing more. Rule H15", async () => {
    await deploy();
    const { kubectl, namespace } = world;
    const as = ['--as', `system:serviceaccount:${namespace}:acme-runtime`];
    const patch = (fields: object, ...args: string[]) =>
      kubectl.try([
        'patch',
        'deployment',
        'acme-runtime',
        '--type',
        'merge',
        '--patch',
        JSON.stringify(fields),
        ...args,
        ...as,
      ]);
    const reason = { 'plat.dev/last-stop-reason': 'idle' };
    const image = { containers: [{ name: 'runtime', image: 'other' }] };
    const changes = { metadata: { annotations: reason }, spec: { template: { spec: image } } };
    expect(await patch(changes, '--subresource', 'status')).toMatchObject({ code: 0 });
    expect(await patch({ spec: { replicas: 0 } }, '--subresource', 'scale')).toMatchObject({ code: 0 });
    const { metadata, spec } = await deployment();
    expect([metadata.annotations, spec.replicas]).toEqual([expect.objectContaining(reason), 0]);
    expect(spec.template.spec.containers[0]?.image).toMatch(/plat-runtime/);
    const refused = [
      patch({ metadata: { annotations: reason } }),
      ...['secrets', 'pods', 'deployments'].map((kind) => kubectl.try(['get', kind, ...as])),
      kubectl.try(['delete', 'deployment', 'acme-runtime', ...as]),
    ];
    for (const { code, stderr } of await Promise.all(refused)) {
      expect([code, stderr]).toEqual([1, expect.stringContaining('forbidden')]);
    }
  });

  it('deploys another release, and removes the Service of an MCP server that is disabled', async () => {
    await deploy();
    expect((await world.get<{ items: unknown[] }>('services')).items).toHaveLength(2);
    await world.configure('mcpEnabled: false\n');
    expect((await deploy('--runtime-version', '2.0.0')).code).toBe(0);
    expect((await deployment()).spec.template.spec.containers[0]?.image).toBe(
      'docker.io/plat/plat-runtime:2.0.0',
    );
    const services = await world.get<{ items: Array<{ metadata: { name: string } }> }>('services');
    expect(services.items.map(({ metadata }) => metadata.name)).toEqual(['acme-ssh']);
  });

  it('is mended by the same command after a chart that the server refused', async () => {
    await world.configure('pod: { cpu: "4", memory: 4Gi }\nllmKeySecret: { name: a..b, key: k }\n');
    const failed = await deploy();
    expect(failed.json()).toMatchObject({ code: 'HELM_FAILED', details: { next: expect.any(String) } });
    await world.configure('');
    expect((await deploy()).code).toBe(0);
    expect((await deployment()).spec.replicas).toBe(1);
  });

  it('twice at once leaves one release, and a refused one names its next step', async () => {
    const runs = await Promise.all([deploy(), deploy()]);
    expect(runs.map(({ code }) => code)).toContain(0);
    for (const run of runs.filter(({ code }) => code !== 0)) {
      expect(run.json()).toMatchObject({ details: { next: expect.stringContaining('repeat the command') } });
    }
    expect((await deploy()).code).toBe(0);
    expect((await deployment()).spec.replicas).toBe(1);
  });

  it('refuses while another helm changes the release, and mends one that was killed', async () => {
    await deploy();
    await pending(world, new Date());
    expect((await deploy()).json()).toMatchObject({ code: 'DEPLOY_IN_PROGRESS' });
    await pending(world, new Date(Date.now() - 3_600_000));
    expect((await deploy()).code).toBe(0);
    const status = await world.helm('status', 'acme-runtime', '--output', 'json');
    expect(JSON.parse(status)).toMatchObject({ info: { status: 'deployed' } });
  });
});

/** Leaves the release as a helm does that was killed at that time: its newest revision is pending. */
async function pending({ get, kubectl }: Awaited<ReturnType<typeof setUp>>, since: Date): Promise<void> {
  const { items } = await get<{
    items: Array<{ metadata: { name: string; labels: object }; data: { release: string } }>;
  }>('secrets', '--selector', 'owner=helm,name=acme-runtime');
  const newest = items.at(-1);
  if (newest === undefined) throw new Error('There is no release.');
  const blob = Buffer.from(Buffer.from(newest.data.release, 'base64').toString(), 'base64');
  const release = JSON.parse(gunzipSync(blob).toString()) as { info: object };
  Object.assign(release.info, { status: 'pending-upgrade', last_deployed: since.toISOString() });
  const data = Buffer.from(gzipSync(JSON.stringify(release)).toString('base64')).toString('base64');
  const patch = { metadata: { labels: { status: 'pending-upgrade' } }, data: { release: data } };
  await kubectl.run(['patch', 'secret', newest.metadata.name, '--patch', JSON.stringify(patch)]);
}

it.each(['helm3', 'helm4'] as const)(
  'names the authority of a cluster that %s does not trust',
  async (helm) => {
    const { deploy } = await setUp(helm);
    const config = JSON.parse(kubernetes.kubeconfig('admin')) as { clusters: Array<{ cluster: object }> };
    for (const one of config.clusters) one.cluster = withoutAuthority(one.cluster);
    await writeFile(process.env.KUBECONFIG ?? '', JSON.stringify(config));
    expect((await deploy()).json()).toMatchObject({
      code: 'CERTIFICATE_NOT_TRUSTED',
      details: { next: expect.stringContaining('docs/private-authority.md') },
    });
  },
);

function withoutAuthority(cluster: object): object {
  const kept = Object.entries(cluster).filter(([key]) => !key.startsWith('certificate-authority'));
  expect(kept.length).toBeLessThan(Object.keys(cluster).length);
  return Object.fromEntries(kept);
}

it('names a cluster that refuses the user, and one that does not answer', async () => {
  const { deploy } = await setUp('helm4', 'stranger');
  expect((await deploy()).json()).toMatchObject({ code: 'CLUSTER_REFUSED' });
  const gone = JSON.parse(kubernetes.kubeconfig('admin')) as {
    clusters: Array<{ cluster: { server: string } }>;
  };
  for (const { cluster } of gone.clusters) cluster.server = 'https://127.0.0.1:1';
  await writeFile(process.env.KUBECONFIG ?? '', JSON.stringify(gone));
  expect((await deploy()).json()).toMatchObject({ code: 'CLUSTER_UNREACHABLE' });
  await writeFile(process.env.KUBECONFIG ?? '', '{');
  expect((await deploy()).json()).toMatchObject({ code: 'KUBECONFIG_UNREADABLE' });
  await rm(process.env.KUBECONFIG ?? '');
  await mkdir(process.env.KUBECONFIG ?? '');
  expect((await deploy()).json()).toMatchObject({ code: 'KUBECONFIG_UNREADABLE' });
});

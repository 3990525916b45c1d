/**
 * @peers kubernetes kubectl helm-3
 * @paths apps/plat libs/environments deploy/charts/runtime
 * @paths libs/testing/src/kubernetes
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type KubernetesPeer, peer, startKubernetes } from '@plat/testing';
import { ended, Machine, PATH, said } from '../black-box/plat-process';
import { type Cluster, openCluster } from '../cluster/cluster';

jest.setTimeout(180_000);

const SECOND = 1000;

let kubernetes: KubernetesPeer;
let machine: Machine;
let env: Record<string, string>;
const own = { PATH: process.env.PATH, KUBECONFIG: process.env.KUBECONFIG };

beforeAll(async () => {
  kubernetes = await startKubernetes({ controllers: 'all' });
  machine = await Machine.create();
  const programs = join(machine.home, 'programs');
  await mkdir(programs);
  await symlink(peer('kubectl'), join(programs, 'kubectl'));
  await symlink(peer('helm3'), join(programs, 'helm'));
  const kubeconfig = join(machine.home, 'kubeconfig');
  await writeFile(kubeconfig, kubernetes.kubeconfig('admin'), { mode: 0o600 });
  env = { PATH: `${programs}${delimiter}${PATH}`, KUBECONFIG: kubeconfig };
  Object.assign(process.env, env);
}, 120_000);
afterAll(async () => {
  Object.assign(process.env, own);
  await kubernetes.stop();
  await machine.remove();
});

/** An environment whose pod no node has taken yet. */
async function deployEnvironment(name: string): Promise<Cluster['kubectl']> {
  const made = await machine.plat(['init', 'acme', name, '--json'], { env });
  if (made.code !== 0) throw new Error(made.stderr);
  return openCluster({ context: kubernetes.context, namespace: `acme-${name}` }).kubectl;
}

async function podOf(kubectl: Cluster['kubectl']): Promise<{ name: string; uid: string }> {
  for (;;) {
    const text = await kubectl.run(['get', 'pods', '--output', 'json']);
    const [pod] = (JSON.parse(text) as { items: Array<{ metadata: { name: string; uid: string } }> }).items;
    if (pod !== undefined) return pod.metadata;
    await delay(200);
  }
}

/** Reports the pod's status in the place of a node. */
async function report(kubectl: Cluster['kubectl'], status: object): Promise<void> {
  const { name } = await podOf(kubectl);
  await kubectl.run([
    'patch',
    'pod',
    name,
    '--subresource=status',
    '--patch',
    JSON.stringify({ status: { phase: 'Pending', ...status } }),
  ]);
}

const waitingFor = (reason: string, message: string) => {
  const state = { waiting: { reason, message } };
  const container = { name: 'runtime', image: 'i', imageID: '', ready: false, restartCount: 3, state };
  return { containerStatuses: [container] };
};

async function open(name: string) {
  const child = await machine.start(['open', 'acme', name, '--no-shell', '--json'], { env });
  return { child, end: ended(child) };
}

/** Milliseconds that something takes. */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const began = Date.now();
  return [await work, Date.now() - began];
}

it('a wrong image is shown within 5 s and ends the wait within 45 s, with what helps', async () => {
  const kubectl = await deployEnvironment('image');
  const { child, end } = await open('image');
  await said(child, /Waiting for the pod/);
  const shown = said(child, /^acme-runtime: ImagePullBackOff: no such image$/m);
  await report(kubectl, waitingFor('ImagePullBackOff', 'no such image'));
  const [[, toShow], [run, toEnd]] = await Promise.all([timed(shown), timed(end)]);
  expect(toShow).toBeLessThan(5 * SECOND);
  expect(toEnd).toBeLessThan(45 * SECOND);
  expect(run.code).toBe(1);
  expect(run.json()).toMatchObject({
    code: 'POD_NOT_READY',
    message: 'The pod of acme-runtime cannot be reached: ImagePullBackOff: no such image',
    details: { next: expect.stringContaining('docker login); then plat deploy acme image') },
  });
});

it('a missing secret, which the cluster reports in an event alone, ends it, too', async () => {
  const kubectl = await deployEnvironment('secret');
  const { name, uid } = await podOf(kubectl);
  const metadata = { name: 'mount', namespace: 'acme-secret' };
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    type: 'Warning',
    reason: 'FailedMount',
    message: 'MountVolume.SetUp failed for volume "key" : secret "acme-runtime-git" not found',
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: metadata.namespace, name, uid },
  };
  await kubectl.run(['apply', '--filename', '-'], { input: JSON.stringify(event) });
  const [run, toEnd] = await timed((await open('secret')).end);
  expect(toEnd).toBeLessThan(45 * SECOND);
  expect(run.stderr).toContain('acme-runtime: FailedMount: MountVolume.SetUp failed');
  expect(run.json()).toMatchObject({
    code: 'POD_NOT_READY',
    details: { next: expect.stringContaining('plat deploy acme secret') },
  });
});

it('repeated crashes end it, with the command that shows the log', async () => {
  const kubectl = await deployEnvironment('crash');
  await report(kubectl, waitingFor('CrashLoopBackOff', 'back-off 20s restarting failed container'));
  const [run, toEnd] = await timed((await open('crash')).end);
  expect(toEnd).toBeLessThan(45 * SECOND);
  expect(run.json()).toMatchObject({
    code: 'POD_NOT_READY',
    details: {
      next: expect.stringMatching(
        /^kubectl .* --namespace acme-crash logs deployment\/acme-runtime --previous$/,
      ),
    },
  });
});

it('a lack of room is shown, and waited for', async () => {
  const kubectl = await deployEnvironment('room');
  const unplaced = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' };
  await report(kubectl, { conditions: [unplaced] });
  const { child, end } = await open('room');
  await said(child, /^acme-runtime: Unschedulable: 0\/1 nodes$/m);
  const first = await Promise.race([end.then(() => 'ended'), delay(45 * SECOND, 'waits')]);
  expect(first).toBe('waits');
  // Without a node nothing runs: the deployment's controller believes the pod's status.
  const conditions = ['PodScheduled', 'Ready'].map((type) => ({ type, status: 'True' }));
  await report(kubectl, { phase: 'Running', conditions });
  const run = await end;
  expect(run.json()).toMatchObject({ namespace: 'acme-room' });
  await machine.plat(['forwards', 'stop', 'acme', 'room'], { env });
});

import type { ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  approveDevice,
  type ClusterPeer,
  imageBuilder,
  NODE_NAME,
  PAUSE_IMAGE,
  peer,
  type ServedGit,
  serveGit,
  spawn,
  type StandaloneProcess,
  startClusterPeer,
  startStandalone,
} from '@plat/testing';
import { GateCheckout } from './gate-checkout';
import { builtPlat, ended, Machine, PATH, type PlatRun, said } from './plat-process';
import { buildRuntimeImage } from './runtime-image';

/** The token that may push to the project's remote. */
export const PUSH_TOKEN = 'token-of-the-remote-0123456789';
const PUSHER = `Basic ${Buffer.from(`x-access-token:${PUSH_TOKEN}`).toString('base64')}`;

export interface ReadyAccounts {
  apiUrl: string;
  issuer: string;
  accounts: Record<string, { userId: string; subject: string; token: string }>;
}

/** The parts behind an environment whose pod really runs: a cluster, a platform, a repository, a machine. */
export interface ClusterStand {
  cluster: ClusterPeer;
  platform: StandaloneProcess<ReadyAccounts>;
  machine: Machine;
  checkout: GateCheckout;
  /** The project's remote, which the pod reaches, too. */
  remote: string;
  /** Runs the client on the person's machine, in the checkout. */
  plat(...args: string[]): Promise<PlatRun>;
  /** Starts it on a pseudo terminal. What it shows is on `stderr`. */
  onTerminal(...args: string[]): ChildProcess;
  /** Runs a command in the container of the pod. @returns its stdout */
  inPod(namespace: string, ...command: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** @param image the name of the runtime image on the node */
export async function clusterStand(image: string): Promise<ClusterStand> {
  const closing: Array<() => Promise<unknown>> = [];
  const stop = async () => {
    for (const close of closing.reverse()) await close();
  };
  try {
    const images = await buildImages(image);
    const machine = await Machine.create();
    const checkout = await GateCheckout.create(machine);
    const served: ServedGit = await serveGit(machine.home, {
      config: ['http.receivepack=true'],
      // The platform reads without credentials; a push needs the token.
      refuses: ({ url = '', headers }) =>
        url.includes('git-receive-pack') && headers.authorization !== PUSHER,
    });
    closing.push(() => served.close());
    const platform = await startStandalone<ReadyAccounts>();
    closing.push(() => platform.stop());
    const ports = [served.origin, platform.apiUrl].map((url) => Number(new URL(url).port));
    const cluster = await startClusterPeer({ images, ports });
    closing.push(() => cluster.stop());
    await addStorage(cluster);
    const use = await onMachine({ machine, checkout, cluster });
    const inPod = (namespace: string, ...command: string[]) =>
      cluster.kubectl('exec', '--namespace', namespace, 'deployment/acme-runtime', '--', ...command);
    return {
      cluster,
      platform,
      machine,
      checkout,
      remote: `${served.origin}/origin.git`,
      ...use,
      inPod,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @returns archives of the runtime's image and of that which holds the namespaces of a pod */
async function buildImages(image: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-images-'));
  const { buildah } = await imageBuilder(folder);
  await buildRuntimeImage(folder, { buildah, tag: image });
  const pause = join(folder, 'pause');
  await mkdir(pause);
  await cp(peer('busybox'), join(pause, 'busybox'), { dereference: true });
  await writeFile(
    join(pause, 'Dockerfile'),
    'FROM scratch\nCOPY busybox /\nENTRYPOINT ["/busybox", "sleep", "2147483647"]\n',
  );
  await buildah('build', '--tag', PAUSE_IMAGE, pause);
  const archives = [];
  for (const [index, name] of [image, PAUSE_IMAGE].entries()) {
    const archive = join(folder, `image-${index}.tar`);
    await buildah('push', name, `oci-archive:${archive}:${name}`);
    archives.push(archive);
  }
  return archives;
}

/** A default class of storage, and volumes on the node for the claims of one environment. */
async function addStorage(cluster: ClusterPeer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-volumes-'));
  const storageClassName = 'on-node';
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name: storageClassName,
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
  const onNode = { key: 'kubernetes.io/hostname', operator: 'In', values: [NODE_NAME] };
  const volumes = ['10Gi', '10Gi', '20Gi'].map((storage, index) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `volume-${index}` },
    spec: {
      capacity: { storage },
      accessModes: ['ReadWriteOnce'],
      local: { path: join(folder, String(index)) },
      storageClassName,
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [onNode] }] } },
    },
  }));
  for (const { spec } of volumes) await mkdir(spec.local.path);
  const file = join(folder, 'storage.json');
  await writeFile(
    file,
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [storageClass, ...volumes] }),
  );
  await cluster.kubectl('apply', '--filename', file);
}

/** The client on the person's machine, with the cluster's kubeconfig and the real kubectl and helm. */
async function onMachine({
  machine,
  checkout,
  cluster,
}: Pick<ClusterStand, 'machine' | 'checkout' | 'cluster'>) {
  const programs = join(machine.home, 'programs');
  await mkdir(programs);
  await symlink(peer('kubectl'), join(programs, 'kubectl'));
  await symlink(peer('helm3'), join(programs, 'helm'));
  const kubeconfig = join(machine.home, 'kubeconfig');
  await writeFile(kubeconfig, cluster.kubeconfig('admin'), { mode: 0o600 });
  const env = { PATH: `${programs}${delimiter}${PATH}`, KUBECONFIG: kubeconfig };
  const entry = await builtPlat();
  const plat = (...args: string[]) => machine.plat(args, { cwd: checkout.folder, env });
  const onTerminal = (...args: string[]): ChildProcess => {
    const command = [process.execPath, entry, ...args].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: checkout.folder,
      env: { ...env, HOME: machine.home, TERM: 'dumb' },
    });
    return Object.assign(child, { stderr: child.stdout });
  };
  return { plat, onTerminal };
}

/** Confirms a sign-in by device that a client asks for, and waits until the client has ended. */
export async function approved(client: ChildProcess, account: string): Promise<PlatRun> {
  const end = ended(client);
  const [, address = ''] = await said(client, /or open (\S+)/);
  await approveDevice(address, account);
  return end;
}

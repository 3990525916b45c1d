import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type KubernetesPeer, SERVICE_ADDRESSES, startKubernetes } from '../kubernetes/kubernetes-peer';
import { peer } from '../peers/peer';
import { type ServerProcess, startServerProcess } from '../peers/server-process';
import { execFile } from '../starter/child-process';
import { makeNodeNetwork, NODE_ADDRESS, type NodeNetwork } from './node-network';
import { startScheduler } from './scheduler';

const run = promisify(execFile);

export const NODE_NAME = 'node';
/** The image of the process that holds a pod's namespaces, as its archive names it. */
export const PAUSE_IMAGE = 'localhost/pause:1';
const IMAGE_STORE = 'k8s.io';
const READY_GAP_MS = 200;

/** A cluster in which pods run: its API, all its controllers, the scheduler and one node. */
export interface ClusterPeer extends KubernetesPeer {
  /** Runs kubectl as admin. @returns its stdout */
  kubectl(...args: string[]): Promise<string>;
  /** The ids of the processes that run in pods, those that hold the namespaces of pods included. */
  podProcesses(): Promise<string[]>;
}

export interface ClusterOptions {
  /** Archives of images (OCI), the pause image among them. */
  images: readonly string[];
  /** Ports of 127.0.0.1 that pods reach, too. */
  ports: readonly number[];
}

/**
 * Starts a cluster with a node. It changes the network, mounts and control groups of this machine, so this process must
 * be root in a network, mount and process namespace of its own (`npm run nightly -- cluster` makes them). Its files stay
 * in the temporary folder, because mounts of pods may be among them; whoever makes the namespaces removes both.
 * PLAT_CLUSTER_CONTROL_GROUP names the control group for pods, which exists below the root of each hierarchy.
 */
export async function startClusterPeer(options: ClusterOptions): Promise<ClusterPeer> {
  const controlGroup = process.env.PLAT_CLUSTER_CONTROL_GROUP;
  if (controlGroup === undefined) throw new Error('Run this test by npm run nightly -- cluster.');
  const folder = await mkdtemp(join(tmpdir(), 'plat-cluster-'));
  const closing: Array<() => Promise<unknown>> = [];
  const stop = async () => {
    for (const close of closing.reverse()) await close();
  };
  const open = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    closing.push(() => started.stop());
    return started;
  };
  try {
    const network = await makeNodeNetwork(folder, options.ports);
    const listen = { address: SERVICE_ADDRESSES.api, port: 443 };
    const kubernetes = await open(startKubernetes({ listen, controllers: 'all' }));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, kubernetes.kubeconfig('admin'), { mode: 0o600 });
    await open(startScheduler(kubeconfig));
    const socket = join(folder, 'containerd.sock');
    await open(startContainerd(folder, { socket, network }));
    const ctr = async (...args: string[]) =>
      (await run(peer('ctr'), ['--address', socket, '--namespace', IMAGE_STORE, ...args])).stdout;
    for (const image of options.images) await ctr('images', 'import', image);
    await open(startKubelet(folder, { kubeconfig, socket, controlGroup }));
    const kubectl = async (...args: string[]) =>
      (await run(peer('kubectl'), ['--kubeconfig', kubeconfig, ...args])).stdout;
    while (!/ Ready /.test(await kubectl('get', 'nodes', '--no-headers'))) await delay(READY_GAP_MS);
    const podProcesses = () => processesOf(controlGroup);
    return { ...kubernetes, kubectl, podProcesses, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startContainerd(
  folder: string,
  { socket, network }: { socket: string; network: NodeNetwork },
): Promise<ServerProcess> {
  const file = join(folder, 'containerd.toml');
  await writeFile(
    file,
    `version = 2
root = "${join(folder, 'containerd')}"
state = "${join(folder, 'containerd-state')}"
[grpc]
  address = "${socket}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${join(folder, 'containerd-opt')}"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  sandbox_image = "${PAUSE_IMAGE}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${network.plugins}"
    conf_dir = "${network.configuration}"
`,
  );
  return startServerProcess({
    program: peer('containerd'),
    args: ['--config', file],
    ready: /containerd successfully booted/,
  });
}

async function startKubelet(
  folder: string,
  { kubeconfig, socket, controlGroup }: { kubeconfig: string; socket: string; controlGroup: string },
): Promise<ServerProcess> {
  const resolver = join(folder, 'resolv.conf');
  await writeFile(resolver, '');
  const [file, root] = [join(folder, 'kubelet.yaml'), join(folder, 'kubelet')];
  const configuration = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: NODE_ADDRESS,
    healthzPort: 0,
    // Only this machine's processes reach it, in a network of their own.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    containerRuntimeEndpoint: `unix://${socket}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${controlGroup}`,
    failCgroupV1: false,
    failSwapOn: false,
    resolvConf: resolver,
    clusterDNS: [NODE_ADDRESS],
    enforceNodeAllocatable: ['pods'],
    // A full disk of this machine is no matter of the test.
    evictionHard: { 'memory.available': '0%', 'nodefs.available': '0%', 'imagefs.available': '0%' },
  };
  await mkdir(root);
  await writeFile(file, JSON.stringify(configuration));
  return startServerProcess({
    program: peer('kubelet'),
    args: [
      `--config=${file}`,
      `--kubeconfig=${kubeconfig}`,
      `--root-dir=${root}`,
      `--node-ip=${NODE_ADDRESS}`,
      `--hostname-override=${NODE_NAME}`,
    ],
    ready: /Started kubelet/,
  });
}

/** The ids of the processes in a control group and those below it. */
async function processesOf(controlGroup: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const groups = await Promise.all(ids.map(async (id) => ({ id, group: await readGroup(id) })));
  return groups.filter(({ group }) => group.includes(`/${controlGroup}/`)).map(({ id }) => id);
}

/** Empty for a process that has ended meanwhile. */
const readGroup = (id: string): Promise<string> => readFile(`/proc/${id}/cgroup`, 'utf8').catch(() => '');

import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { peer } from '../peers/peer';
import { type ServerProcess, startServerProcess } from '../peers/server-process';
import { type KubernetesPeer, startKubernetes } from './kubernetes-peer';
import { KubernetesRequests, RequestRefused } from './kubernetes-requests';

const NODE = 'forward-node';
const GONE_GAP_MS = 100;

/** A pod without a container: each of its ports leads to a port of 127.0.0.1, where the test listens. */
export interface BoundPod {
  namespace: string;
  name: string;
  labels: Record<string, string>;
  /** Ports of 127.0.0.1, by the pod's. */
  ports: Record<number, number>;
  /** The names of the pod's ports. */
  portNames?: Record<string, number>;
  /** Default: true. */
  isReady?: boolean;
  /** Files of this machine, by the names of the programs that a command in the pod may name. */
  programs?: Record<string, string>;
  /** Folders of this machine, by the folders of the pod that its programs are given in arguments. */
  folders?: Record<string, string>;
}

/** The part of a pod that the node knows; `tools/peers/forward-node` reads it. */
type NodePod = Required<Pick<BoundPod, 'ports' | 'programs' | 'folders'>>;

export interface PodService {
  namespace: string;
  name: string;
  selector: Record<string, string>;
  port: number;
  /** A number, or the name of a port of the pods. */
  targetPort: number | string;
}

/** A rule of a Role. */
export interface GrantedRule {
  /** Default: that of pods and Services. */
  apiGroups?: string[];
  resources: string[];
  verbs: string[];
}

interface Parts {
  kubernetes: KubernetesPeer;
  node: ServerProcess;
  folder: string;
}

/**
 * A Kubernetes API server with a node on which port forwards and commands in pods work and nothing else does: the test
 * says what is ready, and which programs a pod has.
 */
export class ForwardCluster {
  readonly kubernetes: KubernetesPeer;
  /** Requests as admin. */
  readonly requests: KubernetesRequests;
  /** The process that serves the node's end of forwards and of commands. */
  readonly node: ServerProcess;
  private readonly folder: string;
  private readonly table: Record<string, NodePod> = {};

  constructor({ kubernetes, node, folder }: Parts) {
    this.kubernetes = kubernetes;
    this.requests = new KubernetesRequests(kubernetes.kubeconfig('admin'));
    this.node = node;
    this.folder = folder;
  }

  /** @returns the path of a kubeconfig file of this user */
  async kubeconfigFile(user: 'admin' | 'stranger'): Promise<string> {
    const file = join(this.folder, `${user}.kubeconfig`);
    await writeFile(file, this.kubernetes.kubeconfig(user), { mode: 0o600 });
    return file;
  }

  async makeNamespace(name: string): Promise<void> {
    await this.create('/api/v1/namespaces', { metadata: { name } });
    // Pods need it, and no controller makes it here.
    await this.create(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  }

  /** Waits until it is gone, which takes about 5 seconds. */
  async removeNamespace(name: string): Promise<void> {
    const path = `/api/v1/namespaces/${name}`;
    await this.requests.send({ method: 'DELETE', path });
    while (await this.has(path)) await delay(GONE_GAP_MS);
  }

  async makeService({ namespace, name, selector, port, targetPort }: PodService): Promise<void> {
    await this.create(`/api/v1/namespaces/${namespace}/services`, {
      metadata: { name },
      spec: { selector, ports: [{ port, targetPort, protocol: 'TCP' }] },
    });
  }

  /** Makes a pod that is bound to the node and running. */
  async makePod(pod: BoundPod): Promise<void> {
    const { namespace, name, labels, ports, portNames = {}, isReady = true } = pod;
    const { programs = {}, folders = {} } = pod;
    await this.writeTable({ [`${namespace}/${name}`]: { ports, programs, folders } });
    const named = Object.entries(portNames).map(([name, containerPort]) => ({ name, containerPort }));
    await this.create(`/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name, labels },
      spec: {
        nodeName: NODE,
        // Nothing runs that could end by itself, so a pod without a grace period goes at once.
        terminationGracePeriodSeconds: 0,
        automountServiceAccountToken: false,
        containers: [{ name: 'main', image: 'none', ports: named }],
      },
    });
    await this.setReady(pod, isReady);
  }

  /** Makes a Deployment of one pod, and the pod, which `deploy/<name>` leads to. */
  async makeDeployment({ name, ...rest }: Omit<BoundPod, 'labels'>): Promise<void> {
    const labels = { app: name };
    const { namespace } = rest;
    await this.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
      metadata: { name },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'none' }] } },
      },
    });
    await this.makePod({ ...rest, name: `${name}-1`, labels });
  }

  async setReady(pod: Pick<BoundPod, 'namespace' | 'name'>, isReady: boolean): Promise<void> {
    const status = isReady ? 'True' : 'False';
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status }));
    const body = { status: { phase: 'Running', podIP: '192.0.2.1', conditions } };
    await this.requests.send({ method: 'PATCH', path: `${pathOf(pod)}/status`, body });
  }

  /** Asks for the pod's end with a grace period: it stays, ready and terminating, until `removePod`. */
  async terminatePod(pod: Pick<BoundPod, 'namespace' | 'name'>): Promise<void> {
    await this.requests.send({ method: 'DELETE', path: `${pathOf(pod)}?gracePeriodSeconds=600` });
  }

  /** Removes the pod; the caller ends what it listens with, as the node would end the containers. */
  async removePod(pod: Pick<BoundPod, 'namespace' | 'name'>): Promise<void> {
    await this.writeTable({ [`${pod.namespace}/${pod.name}`]: undefined });
    await this.requests.send({ method: 'DELETE', path: `${pathOf(pod)}?gracePeriodSeconds=0` });
  }

  /** Gives `stranger`, who may do nothing otherwise, these rights in a namespace. */
  async grant(namespace: string, rules: readonly GrantedRule[]): Promise<void> {
    const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    const metadata = { name: 'granted' };
    const full = rules.map((rule) => ({ apiGroups: [''], ...rule }));
    await this.create(`${path}/roles`, { metadata, rules: full });
    const apiGroup = 'rbac.authorization.k8s.io';
    await this.create(`${path}/rolebindings`, {
      metadata,
      roleRef: { apiGroup, kind: 'Role', name: metadata.name },
      subjects: [{ apiGroup, kind: 'User', name: 'stranger' }],
    });
  }

  /** Registers the node, whose address leads to the program that serves forwards and commands. */
  async registerNode(): Promise<void> {
    const Port = Number(/ listens on 127\.0\.0\.1:(\d+)/.exec(this.node.said())![1]);
    await this.create('/api/v1/nodes', { metadata: { name: NODE } });
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const conditions = [{ type: 'Ready', status: 'True' }];
    const body = { status: { addresses, conditions, daemonEndpoints: { kubeletEndpoint: { Port } } } };
    await this.requests.send({ method: 'PATCH', path: `/api/v1/nodes/${NODE}/status`, body });
  }

  async stop(): Promise<void> {
    await this.node.stop();
    await this.kubernetes.stop();
    await rm(this.folder, { recursive: true });
  }

  private async has(path: string): Promise<boolean> {
    try {
      await this.requests.send({ method: 'GET', path });
      return true;
    } catch (error) {
      if (error instanceof RequestRefused && error.status === 404) return false;
      throw error;
    }
  }

  private create(path: string, body: object): Promise<unknown> {
    return this.requests.send({ method: 'POST', path, body });
  }

  /** Replaces the file at once, because the node may be reading it. */
  private async writeTable(changed: Record<string, NodePod | undefined>): Promise<void> {
    Object.assign(this.table, changed);
    const file = tableOf(this.folder);
    await writeFile(`${file}.new`, JSON.stringify(this.table));
    await rename(`${file}.new`, file);
  }
}

/** Starts a Kubernetes API server and the node for forwards and commands. It takes about 5 seconds. */
export async function startForwardCluster(): Promise<ForwardCluster> {
  const kubernetes = await startKubernetes();
  const folder = await mkdtemp(join(tmpdir(), 'plat-forwards-'));
  await writeFile(tableOf(folder), '{}');
  const node = await startServerProcess({
    program: peer('forward-node'),
    args: [tableOf(folder)],
    ready: /listens on .+\n/,
  });
  const cluster = new ForwardCluster({ kubernetes, node, folder });
  await cluster.registerNode();
  return cluster;
}

const tableOf = (folder: string): string => join(folder, 'pods.json');

const pathOf = ({ namespace, name }: Pick<BoundPod, 'namespace' | 'name'>): string =>
  `/api/v1/namespaces/${namespace}/pods/${name}`;

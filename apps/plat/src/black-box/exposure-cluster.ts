import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { audiencesOf } from '@plat/contracts/core/token';
import {
  addressesAt,
  execFile,
  type ForwardCluster,
  type NameServerPeer,
  type NameServerSetUp,
  peer,
  type PlatformProcess,
  RequestRefused,
  spawn,
  startForwardCluster,
  startNameServer,
} from '@plat/testing';
import { saveAlias } from '../config/config-file';
import { readPlatform } from '../session/read-platform';
import { sessionPath, writeSession } from '../session/stored-session';
import { ended, Machine, PATH, type PlatRun } from './plat-process';

/** The contexts of the person's kubeconfig. The current one is none of them. */
const CONTEXTS = { platform: 'platform-cluster', target: 'target-cluster' };
const ZONE = 'services.lab.example';
const BLOCK = 'platform:\n  basedomain: lab.example\n  env: ops-main\n';
const SESSION_MS = 3_600_000;

/** Where the wildcard record leads: an address for documentation, in whose place the edge answers on loopback. */
export const TARGET_IP = '192.0.2.10';
export const EDGE_HOST = '127.0.0.1';

/** A person's machine with the environment acme dev, the cluster it runs in, and the name server of a platform ops main. */
export class ExposureCluster {
  private constructor(
    readonly machine: Machine,
    readonly cluster: ForwardCluster,
    /** The name server of the services' zone. */
    readonly names: NameServerPeer,
    private readonly variables: Record<string, string>,
  ) {}

  static async start(nameServer: NameServerSetUp): Promise<ExposureCluster> {
    const [machine, cluster, names] = await Promise.all([
      Machine.create(),
      startForwardCluster(),
      startNameServer(nameServer, 'hmac-sha256', ZONE),
    ]);
    const stand = new ExposureCluster(machine, cluster, names, await variablesOf(machine));
    await stand.useClusterAs('admin');
    await stand.cluster.makeNamespace('acme-dev');
    await stand.configure();
    return stand;
  }

  /** Has pdnsutil run in a pod of the platform's Deployment. The name server is PowerDNS. */
  async addAdminPod(): Promise<void> {
    await this.cluster.makeNamespace('ops-main');
    await this.cluster.makeDeployment({
      namespace: 'ops-main',
      name: 'ops-dns',
      ports: {},
      programs: { pdnsutil: peer('pdnsutil') },
      folders: { '/etc/pdns-shared': this.names.folder },
    });
  }

  /** Configures an environment of the tenant acme, in the cluster. */
  async configureEnvironment(name: string): Promise<void> {
    const project = join(this.machine.home, 'project');
    const text = `type: local-agent\nkubernetesContext: ${CONTEXTS.target}\nlocalRepoPath: ${project}\n`;
    await this.write(`.config/plat/acme/${name}/config.yaml`, text);
  }

  /** Configures the alias `work` for a platform, and signs in as alice of acme. */
  async signIn(platform: PlatformProcess): Promise<void> {
    const { configFolder } = this.machine;
    const accessToken = await platform.token('alice');
    const [audience] = audiencesOf(accessToken)!;
    const alias = { ...(await readPlatform('work', platform.url)), audience: audience! };
    await saveAlias(configFolder, alias);
    const expiresAt = new Date(Date.now() + SESSION_MS).toISOString();
    await writeSession(sessionPath(configFolder, alias), { accessToken, expiresAt });
  }

  /** Runs the client in the project's folder. */
  plat(...args: string[]): Promise<PlatRun> {
    return this.machine.plat(args, { cwd: join(this.machine.home, 'project'), env: this.variables });
  }

  /** Has the person be another user of the cluster from now on. */
  async useClusterAs(user: 'admin' | 'stranger'): Promise<void> {
    await writeFile(this.variables.KUBECONFIG!, kubeconfigOf(this.cluster, user), { mode: 0o600 });
  }

  /** Runs a line in the person's shell. */
  shell(line: string, input = ''): Promise<PlatRun> {
    const child = spawn('/bin/sh', ['-c', line], { env: { ...this.variables, HOME: this.machine.home } });
    child.stdin.end(input);
    return ended(child);
  }

  /** The addresses of a name in the zone, with their seconds to live, as the name server answers. */
  addresses(name: string): Promise<Array<{ address: string; ttl: number }>> {
    return addressesAt(this.names, `${name}.${ZONE}`);
  }

  /** An object of the namespace acme-dev; undefined if there is none. @param path such as `secrets/one` */
  async object(path: string, group = 'api/v1'): Promise<ClusterObject | undefined> {
    try {
      const whole = `/${group}/namespaces/acme-dev/${path}`;
      return await this.cluster.requests.send<ClusterObject>({ method: 'GET', path: whole });
    } catch (error) {
      if (error instanceof RequestRefused && error.status === 404) return undefined;
      throw error;
    }
  }

  ingress(name: string): Promise<ClusterObject | undefined> {
    return this.object(`ingresses/${name}`, 'apis/networking.k8s.io/v1');
  }

  /** Writes a file below the machine's home. @returns its path */
  async write(path: string, text: string, mode = 0o644): Promise<string> {
    const whole = join(this.machine.home, path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, text, { mode });
    return whole;
  }

  async stop(): Promise<void> {
    await Promise.all([this.machine.remove(), this.cluster.stop(), this.names.stop()]);
  }

  private async configure(): Promise<void> {
    const project = join(this.machine.home, 'project');
    await promisify(execFile)('git', ['init', '--quiet', project]);
    await this.write('project/.plat/config.yaml', BLOCK);
    await this.write('.config/plat/config.yaml', 'defaultTenant: acme\n');
    await this.configureEnvironment('dev');
    const main = `type: runtime\nkubernetesContext: ${CONTEXTS.platform}\n`;
    await this.write('.config/plat/ops/main/config.yaml', main);
  }
}

/** The parts of an object that tests read. */
export interface ClusterObject {
  metadata: { resourceVersion: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
  /** The data of a Secret, in base64. */
  data?: Record<string, string>;
}

/** The variables of a person whose kubectl is the real one. */
async function variablesOf(machine: Machine): Promise<Record<string, string>> {
  const programs = join(machine.home, 'programs');
  await mkdir(programs);
  await symlink(peer('kubectl'), join(programs, 'kubectl'));
  return { PATH: `${programs}${delimiter}${PATH}`, KUBECONFIG: join(machine.home, 'kubeconfig') };
}

/** A kubeconfig with both contexts, which are one cluster here. */
function kubeconfigOf({ kubernetes }: ForwardCluster, user: 'admin' | 'stranger'): string {
  const { contexts, ...rest } = JSON.parse(kubernetes.kubeconfig(user)) as { contexts: [object] };
  const named = Object.values(CONTEXTS).map((name) => ({ ...contexts[0], name }));
  return JSON.stringify({ ...rest, contexts: named, 'current-context': 'none' });
}

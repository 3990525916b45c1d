import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Channel } from '@plat/forwards';
import { identify } from '@plat/local';
import { type ReservedPorts, reservePorts, spawn } from '@plat/testing';
import { clusterPrograms, type ToolScript } from './cluster-programs';
import { ForwardCluster } from './forward-cluster';
import { Machine } from './plat-process';

const VIEW = JSON.stringify({
  'current-context': 'kind-one',
  contexts: [{ name: 'kind-one' }, { name: 'kind-two' }],
});
const DEPLOYMENT = {
  metadata: { generation: 2 },
  spec: { replicas: 1 },
  status: { observedGeneration: 2, availableReplicas: 1 },
};

/** The token of the MCP server in the pod. */
export const MCP_TOKEN = 'mcp-token-of-the-pod-0123456789abcdef';

/** Offsets of the channels in a block of ports. Rule H5. */
export const OFFSETS: Readonly<Record<Channel, number>> = { mcp: 0, sshd: 22, api: 33 };

/** A machine with the environment acme dev, deployed and running in a cluster double, whose forwards are real. */
export class ForwardStand {
  private readonly children: ChildProcess[] = [];

  private constructor(
    readonly machine: Machine,
    readonly cluster: ForwardCluster,
    private readonly ports: ReservedPorts,
    private readonly programs: Awaited<ReturnType<typeof clusterPrograms>>,
  ) {}

  static async create(config = ''): Promise<ForwardStand> {
    const ports = await reservePorts();
    const [machine, cluster] = await Promise.all([Machine.create(), ForwardCluster.start(ports.start)]);
    const stand = new ForwardStand(machine, cluster, ports, await clusterPrograms(machine.home));
    await stand.configure('kind-one', config);
    await stand.write('config.yaml', 'defaultTenant: acme\n');
    await writeFile(join(machine.home, 'kubeconfig'), cluster.kubeconfig());
    await stand.answer();
    return stand;
  }

  /** The first port of the environment's block of ports. */
  get start(): number {
    return this.ports.start;
  }

  /** Writes the environment's configuration. */
  configure(context: string, more = ''): Promise<void> {
    const file = `type: runtime\nkubernetesContext: ${context}\nlocalPortRangeStart: ${this.start}\n${more}`;
    return this.write('acme/dev/config.yaml', file);
  }

  /** Answers of kubectl before the usual ones. */
  answer(...scripts: ToolScript[]): Promise<void> {
    return this.programs.answer([
      ...scripts,
      { when: /config view/, stdout: VIEW },
      { when: /get service acme-/, stdout: 'service/one\n' },
      { when: /get secret acme-runtime-mcp/, stdout: Buffer.from(MCP_TOKEN).toString('base64') },
      { when: /get deployment/, stdout: JSON.stringify(DEPLOYMENT) },
    ]);
  }

  /** Takes a Service away, for the forwards and for kubectl. */
  async withoutService(name: string): Promise<void> {
    this.cluster.services = this.cluster.services.filter((one) => one.name !== name);
    await this.answer({ when: new RegExp(`get service ${name}`) });
  }

  get variables(): Record<string, string> {
    return { PATH: this.programs.path, KUBECONFIG: 'kubeconfig' };
  }

  plat(...args: string[]) {
    return this.machine.plat(args, { env: this.variables });
  }

  open(...args: string[]) {
    return this.plat('open', 'acme', 'dev', '--no-shell', '--json', ...args);
  }

  path(channel: Channel, ending = 'json'): string {
    return join(this.machine.configFolder, 'portforward', channel, 'acme', `dev.${ending}`);
  }

  port(channel: Channel): number {
    return this.start + OFFSETS[channel];
  }

  async record(channel: Channel): Promise<Record<string, unknown>> {
    return JSON.parse(await readFile(this.path(channel), 'utf8')) as Record<string, unknown>;
  }

  /** Writes a file below the client's configuration. */
  async write(path: string, text: string): Promise<void> {
    const whole = join(this.machine.configFolder, path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, text);
  }

  /**
   * A process with the arguments of kubectl that listens on a channel's port, as a person starts it.
   *
   * @param answers whether GET is answered; otherwise it ends each connection
   * @param context of its flag
   */
  kubectl(channel: Channel, answers: boolean, context?: string): Promise<ChildProcess> {
    const port = this.port(channel);
    const more = context === undefined ? [] : ['--context', context];
    const listen = `require('node:http').createServer((q, s) => ${answers} ? s.end('{}') : q.destroy())`;
    return this.asKubectl(
      channel,
      [`${port}:${port}`, ...more],
      `${listen}.listen(${port}, '127.0.0.1', () => console.log('listens'))`,
    );
  }

  /** A process with the arguments of kubectl that does not listen. */
  silentKubectl(channel: Channel, port: number): Promise<ChildProcess> {
    return this.asKubectl(channel, [`${port}:${port}`], "console.log('runs'); setInterval(() => {}, 1e6)");
  }

  private async asKubectl(channel: Channel, ends: string[], script: string): Promise<ChildProcess> {
    const args = ['-e', script, 'port-forward', `svc/acme-${channel}`, ...ends, '-n', 'acme-dev'];
    const child = spawn(process.execPath, args, { argv0: 'kubectl', stdio: ['ignore', 'pipe', 'inherit'] });
    this.children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  /** A process that has nothing to do with forwards. */
  async bystander(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  async dispose(): Promise<void> {
    await this.plat('forwards', 'stop', 'acme', 'dev');
    for (const child of this.children) child.kill('SIGKILL');
    await Promise.all([this.machine.remove(), this.cluster.close(), this.ports.release()]);
  }
}

/** Whether a process with this id runs; a process that has ended and was not waited for does not. */
export async function runs(pid: unknown): Promise<boolean> {
  return (await identify(Number(pid))) !== undefined;
}

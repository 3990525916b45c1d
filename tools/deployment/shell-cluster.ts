import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import {
  execFile,
  type KubernetesOptions,
  type KubernetesPeer,
  peer,
  type PeerProgram,
  startKubernetes,
} from '@plat/testing';

export interface ShellAnswer {
  code: number;
  stdout: string;
  stderr: string;
}

export interface ShellClusterOptions {
  /** Paths of files with the definitions of resources. */
  definitions: readonly string[];
  namespaces: readonly string[];
  /** Programs on the PATH besides kubectl, by the names that lines call them. */
  programs?: Readonly<Record<string, PeerProgram>>;
  /** Default: those that remove namespaces alone. */
  controllers?: KubernetesOptions['controllers'];
}

/** A real API server, and a shell whose kubectl is an admin's there. */
export class ShellCluster {
  private constructor(
    private readonly kubernetes: KubernetesPeer,
    /** Has `kubeconfig`; goes with the cluster. */
    readonly folder: string,
  ) {}

  static async start(options: ShellClusterOptions): Promise<ShellCluster> {
    const { definitions, namespaces, programs = {}, controllers } = options;
    const kubernetes = await startKubernetes({ controllers });
    const folder = await mkdtemp(join(tmpdir(), 'plat-shell-cluster-'));
    const cluster = new ShellCluster(kubernetes, folder);
    await writeFile(cluster.kubeconfig, kubernetes.kubeconfig('admin'), { mode: 0o600 });
    for (const [name, program] of Object.entries({ kubectl: 'kubectl' as const, ...programs })) {
      await symlink(peer(program), join(folder, name));
    }
    for (const file of definitions) await cluster.done(`kubectl apply --server-side --filename '${file}'`);
    if (definitions.length > 0) {
      await cluster.done('kubectl wait --for=condition=Established crd --all --timeout=30s');
    }
    for (const name of namespaces) await cluster.done(`kubectl create namespace ${name}`);
    return cluster;
  }

  /** The name of the kubeconfig's one context. */
  get context(): string {
    return this.kubernetes.context;
  }

  get kubeconfig(): string {
    return join(this.folder, 'kubeconfig');
  }

  /** Runs a line as a person does who types it in a folder; default: the repository's root. */
  type(
    line: string,
    { input = '', env = {}, cwd = workspaceRoot() }: { input?: string; env?: object; cwd?: string } = {},
  ): Promise<ShellAnswer> {
    return new Promise((resolve) => {
      const own = {
        HOME: this.folder,
        KUBECONFIG: this.kubeconfig,
        PATH: `${this.folder}:${process.env.PATH}`,
      };
      const options = { env: { ...own, ...env }, cwd };
      const child = execFile('sh', ['-c', line], options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      );
      // A line that reads no input may have ended by now.
      child.stdin?.on('error', () => undefined).end(input);
    });
  }

  /** @returns stdout @throws Error with stderr if the line fails */
  async done(line: string, input = ''): Promise<string> {
    const { code, stdout, stderr } = await this.type(line, { input });
    if (code !== 0) throw new Error(`${line}\n${stderr}`);
    return stdout;
  }

  /** Applies an object, as JSON. */
  apply(namespace: string, object: object): Promise<string> {
    return this.done(`kubectl --namespace ${namespace} apply --filename -`, JSON.stringify(object));
  }

  async read<T>(namespace: string, kind: string, name: string): Promise<T> {
    return JSON.parse(
      await this.done(`kubectl --namespace ${namespace} get ${kind} ${name} --output json`),
    ) as T;
  }

  async stop(): Promise<void> {
    await this.kubernetes.stop();
    await rm(this.folder, { recursive: true });
  }
}

import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@plat/local';
import { processTable } from '../processes/process-table';
import { type Machine, PATH, said } from './plat-process';

/** The session of an environment, as it is mounted. */
export const MOUNTED_ALIAS = {
  name: 'work',
  kind: 'platform',
  apiUrl: 'http://127.0.0.1:1',
  audience: 'http://127.0.0.1:1',
  issuer: 'http://127.0.0.1:1',
  clientId: 'plat-cli',
};

/** A pod of the environment acme, dev: a machine on which `plat runtime boot` runs as in a pod. */
export class RuntimePod {
  private constructor(
    readonly machine: Machine,
    readonly ports: { mcp: number; sshd: number },
  ) {}

  static async create(machine: Machine): Promise<RuntimePod> {
    const [mcp, sshd] = await Promise.all([findFreePort(), findFreePort()]);
    // As root, the SSH server needs this folder, which Debian makes at its start.
    if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
    await mkdir(join(machine.home, 'session'));
    return new RuntimePod(machine, { mcp, sshd });
  }

  get checkout(): string {
    return join(this.machine.home, 'git', 'app');
  }

  get sessionMount(): string {
    return join(this.machine.home, 'session');
  }

  /** Where git's settings and its credential are mounted. */
  get gitMount(): string {
    return join(this.machine.home, 'git-mount');
  }

  /** Where the token of its MCP server is mounted. */
  get mcpTokenMount(): string {
    return join(this.machine.home, 'mcp-token');
  }

  /** The folder of its configuration. */
  get environmentConfig(): string {
    return join(this.machine.configFolder, 'acme', 'dev');
  }

  get variables(): Record<string, string> {
    return {
      PLAT_TENANT: 'acme',
      PLAT_ENVIRONMENT: 'dev',
      PLAT_ENV_TYPE: 'runtime',
      PLAT_KUBERNETES_CONTEXT: 'in-cluster',
      PLAT_NAMESPACE: 'acme-dev',
      PLAT_REPO_PATH: this.checkout,
      PLAT_OUTPUTS_DIR: join(this.machine.home, 'outputs'),
      PLAT_MCP_PORT: String(this.ports.mcp),
      PLAT_SSHD_PORT: String(this.ports.sshd),
      PATH: `${PATH}:/usr/sbin`,
    };
  }

  /** Mounts a session. Each provisioning has another time. */
  async mountSession(refreshToken: string, provisionedAt: string): Promise<void> {
    const files = { 'alias.json': MOUNTED_ALIAS, 'session.json': { refreshToken, provisionedAt } };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(this.sessionMount, name), JSON.stringify(content));
    }
  }

  /** Boots the pod, and waits until its log has all lines of `ready`: by default, until its servers listen. */
  async boot(
    more: Record<string, string> = {},
    ready: readonly RegExp[] = [/Serving tools on/, /Server listening on/],
  ): Promise<Booted> {
    const env = { ...this.variables, ...more };
    const mounts = [
      ...['--session', this.sessionMount, '--mcp-token', this.mcpTokenMount],
      ...['--git', this.gitMount],
    ];
    const child = await this.machine.start(['runtime', 'boot', ...mounts], { env });
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')));
    await Promise.all(ready.map((line) => said(child, line)));
    return {
      child,
      log: () => log,
      childNamed: async (pattern) => {
        const table = await processTable();
        const found = table.find(({ parent, line }) => parent === child.pid && pattern.test(line));
        if (found === undefined) throw new Error(`no child is ${pattern}`);
        return found.pid;
      },
    };
  }
}

/** A booted pod. */
export interface Booted {
  child: ChildProcess;
  /** Its log so far. */
  log(): string;
  /** The id of the first process's child whose command line matches. */
  childNamed(pattern: RegExp): Promise<number>;
}

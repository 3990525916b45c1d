import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServiceName } from '@plat/contracts/core';
import { type ServerProcess, startServer } from '@plat/testing';

/** The workspace root, two levels up from the bundle in dist/tools. */
const root = join(__dirname, '..', '..');
const outdir = (name: ServiceName) => join(root, 'dist', 'nightly', name);

/** Builds a service into a folder that no other build replaces. */
export async function buildService(name: ServiceName): Promise<void> {
  const args = [join(root, 'tools/build/build.mjs'), `apps/${name}`, outdir(name)];
  await promisify(execFile)(process.execPath, args);
}

export interface ReplicasOptions {
  name: ServiceName;
  count: number;
  databaseUrl: string;
  folder: string;
}

/** The processes of one service. Any of them may be killed at any time and is then replaced. */
export class Replicas {
  kills = 0;
  private readonly running = new Map<number, ServerProcess>();
  private started = 0;
  private next = 0;
  private stopping = false;

  private constructor(private readonly options: ReplicasOptions) {}

  static async start(options: ReplicasOptions): Promise<Replicas> {
    const replicas = new Replicas(options);
    await Promise.all(Array.from({ length: options.count }, () => replicas.add()));
    return replicas;
  }

  /** The address of one process, in turns; undefined while none runs. */
  url(): string | undefined {
    const all = [...this.running.values()];
    return all[this.next++ % all.length]?.url;
  }

  /** Kills the process that has run longest with SIGKILL. Resolves when its replacement runs. */
  async killOne(): Promise<void> {
    const [oldest] = this.running;
    if (!oldest) return;
    const [number, { pid, stop }] = oldest;
    this.running.delete(number);
    process.kill(pid, 'SIGKILL');
    this.kills += 1;
    await stop();
    await this.add();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.running.values()].map(({ stop }) => stop()));
  }

  /** Starts a process, again and again if it cannot start while the database is down. */
  private async add(): Promise<void> {
    const { name, databaseUrl, folder } = this.options;
    const number = ++this.started;
    try {
      const replica = await startServer({
        args: [join(outdir(name), 'main.js')],
        environment: { DATABASE_URL: databaseUrl, ALLOW_HTTP_ISSUERS: 'true', LOG_LEVEL: 'error' },
        logFile: join(folder, `${name}-${number}.log`),
      });
      this.running.set(number, replica);
    } catch (error) {
      if (this.stopping) throw error;
      await this.add();
    }
  }
}

import { readFile } from 'node:fs/promises';
import { Client } from 'pg';

/** The highest values of what an attack may use up. */
export interface Peak {
  /** Resident memory of all processes that are watched, in bytes. */
  memoryBytes: number;
  /** Connections of the services to the database. */
  connections: number;
}

const GAP_MS = 200;

/** Watches processes and the database until it is stopped. */
export class Watch {
  private readonly peak: Peak = { memoryBytes: 0, connections: 0 };
  private looking: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly owner: Client,
    private readonly pids: number[],
  ) {
    this.timer = setInterval(() => (this.looking = this.looking.then(() => this.look())), GAP_MS);
  }

  static async start(ownerUrl: string, pids: number[]): Promise<Watch> {
    const owner = new Client({ connectionString: ownerUrl });
    await owner.connect();
    return new Watch(owner, pids);
  }

  async stop(): Promise<Peak> {
    clearInterval(this.timer);
    await this.looking;
    await this.owner.end();
    return this.peak;
  }

  private async look(): Promise<void> {
    const { rows } = await this.owner.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'plat-%'",
    );
    const sizes = await Promise.all(this.pids.map(residentBytes));
    const memoryBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
    this.peak.memoryBytes = Math.max(this.peak.memoryBytes, memoryBytes);
    this.peak.connections = Math.max(this.peak.connections, rows[0]!.count);
  }
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { execFile } from '../starter/child-process';
import { ServiceAddress } from './service-address';

export interface ReplicatedDatabaseOptions {
  /** An existing folder for both servers' data. */
  folder: string;
  /** Whether a commit is acknowledged only after the replica has it on disk. */
  synchronous: boolean;
  /** Makes the schema, before there is a replica. */
  prepare(ownerUrl: string): Promise<void>;
}

const PROMOTION_SECONDS_MAX = 60;

/** A PostgreSQL with a streaming replica, both durable, behind one address. */
export class ReplicatedDatabase {
  private constructor(
    private readonly options: ReplicatedDatabaseOptions,
    private primary: EmbeddedCluster,
    private replica: EmbeddedCluster,
    /** Between the two servers. */
    private readonly replication: ServiceAddress,
    /** The address at which clients reach the primary. */
    readonly address: ServiceAddress,
    private primaryOptions: { dataDir: string; settings?: Record<string, string> },
  ) {}

  static async start(options: ReplicatedDatabaseOptions): Promise<ReplicatedDatabase> {
    const { folder, prepare, synchronous } = options;
    const [primaryDir, replicaDir] = [join(folder, 'primary'), join(folder, 'replica')];
    const first = await startCluster({ dataDir: primaryDir, durable: true });
    await prepare(first.url());
    await first.stop();
    // A copy of a server that has stopped is a base backup. Node's own cp would not keep the owner.
    await promisify(execFile)('cp', ['-a', primaryDir, replicaDir]);
    await writeFile(join(replicaDir, 'data', 'standby.signal'), '');
    // Names the replica only once it is there: until then no commit would be acknowledged.
    const settings = { synchronous_standby_names: synchronous ? '*' : '' };
    const primary = await startCluster({ dataDir: primaryDir, durable: true, settings });
    const replication = await ServiceAddress.start(primary.port);
    const { username, password } = new URL(primary.url());
    const conninfo = `host=127.0.0.1 port=${replication.port} user=${username} password=${password}`;
    const replica = await startCluster({
      dataDir: replicaDir,
      durable: true,
      settings: { primary_conninfo: conninfo },
    });
    const address = await ServiceAddress.start(primary.port);
    return new ReplicatedDatabase(options, primary, replica, replication, address, {
      dataDir: primaryDir,
      settings,
    });
  }

  /** The owner's URL of the present primary. */
  get ownerUrl(): string {
    return this.primary.url();
  }

  get replicaUrl(): string {
    return this.replica.url();
  }

  /** The present primary's port. */
  get port(): number {
    return this.primary.port;
  }

  /** Cuts the replica off: it gets nothing more, and does not acknowledge. */
  cutReplication(): void {
    this.replication.pause();
  }

  /** Ends the primary as by a power cut. */
  async losePrimary(): Promise<void> {
    process.kill(this.primary.pid, 'SIGQUIT');
    await this.primary.exited;
    this.replication.cut();
  }

  /** Leads clients to the replica, whether it is promoted or not. */
  leadToReplica(): void {
    this.address.switchTo(this.replica.port);
  }

  /** Makes the replica the primary. It takes writes when this resolves. */
  async promote(): Promise<void> {
    const client = new Client({ connectionString: this.replica.url() });
    await client.connect();
    const { rows } = await client.query<{ done: boolean }>('SELECT pg_promote(true, $1) AS done', [
      PROMOTION_SECONDS_MAX,
    ]);
    await client.end();
    if (!rows[0]!.done) throw new Error('The replica was not promoted in time.');
    [this.primary, this.replica] = [this.replica, this.primary];
  }

  /** Stops the primary as by a power cut and starts it again, so that its log must have all that was acknowledged. */
  async restartPrimary(): Promise<void> {
    process.kill(this.primary.pid, 'SIGQUIT');
    await this.primary.exited;
    const { port } = this.primary;
    this.primary = await startCluster({ ...this.primaryOptions, durable: true, port });
  }

  /** Loses the primary for good, and lets the promoted replica take its place. */
  async failOver(): Promise<void> {
    await this.losePrimary();
    await this.promote();
    this.address.switchTo(this.port);
    this.primaryOptions = { dataDir: join(this.options.folder, 'replica') };
  }

  /** Starts the former primary again, on its port, as if the promotion were unknown. @returns its owner's URL */
  async restartFormerPrimary(): Promise<string> {
    const dataDir = join(this.options.folder, 'primary');
    this.replica = await startCluster({ dataDir, durable: true, port: this.replica.port });
    return this.replica.url();
  }

  async stop(): Promise<void> {
    await Promise.all([this.address.stop(), this.replication.stop()]);
    await Promise.all([this.primary.stop(), this.replica.stop()]);
  }
}

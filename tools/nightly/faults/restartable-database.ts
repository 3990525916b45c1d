import { join } from 'node:path';
import { applyDirectory, LOGIN_ROLES, migrate, setLoginPasswords } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { testDirectory } from '@plat/testing';

/** Two levels up from the bundle in dist/tools. */
const root = join(__dirname, '..', '..');
const PASSWORD = 'nightly';

/** A durable PostgreSQL that can be ended at once, as by a power cut of its process, and comes back on its port. */
export class RestartableDatabase {
  restarts = 0;

  private constructor(
    private cluster: EmbeddedCluster,
    private readonly dataDir: string,
  ) {}

  static async start(dataDir: string, issuerUrl: string): Promise<RestartableDatabase> {
    const cluster = await startCluster({ dataDir, durable: true });
    await migrate(cluster.url(), { migrationsDir: join(root, 'libs', 'database', 'migrations') });
    const roles = Object.values(LOGIN_ROLES);
    await setLoginPasswords(cluster.url(), Object.fromEntries(roles.map((role) => [role, PASSWORD])));
    await applyDirectory(cluster.url(), testDirectory(issuerUrl));
    return new RestartableDatabase(cluster, dataDir);
  }

  get ownerUrl(): string {
    return this.cluster.url();
  }

  get port(): number {
    return this.cluster.port;
  }

  /** A service's connection URL by way of another port. */
  loginUrl(role: string, port: number): string {
    return `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  }

  /** An immediate shutdown: nothing is written any more; what was acknowledged must be in the log already. */
  async restart(): Promise<void> {
    process.kill(this.cluster.pid, 'SIGQUIT');
    await this.cluster.exited;
    this.cluster = await startCluster({ dataDir: this.dataDir, durable: true, port: this.cluster.port });
    this.restarts += 1;
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
}

import { join } from 'node:path';
import { applyDirectory, LOGIN_ROLES, migrate, setLoginPasswords } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { testDirectory } from '@plat/testing';

/** The workspace root, two levels up from the bundle in dist/tools. */
const root = join(__dirname, '..', '..');
const PASSWORD = 'nightly';

/** A durable PostgreSQL that can be stopped as by a power cut, and restarts on its port. */
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

  /** A service's connection URL through another port. */
  loginUrl(role: string, port: number): string {
    return `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  }

  /** Stops immediately: it writes nothing more, so its log must already have all that was acknowledged. */
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

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peer } from './peer';
import { type ServerProcess, startServerProcess } from './server-process';

/** The names of the folders in which nginx stores large bodies; by default they belong to root. */
const SPOOLS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const SERVES = /start worker process /;

/** nginx in a folder of its own. */
export class Nginx {
  private server: ServerProcess | undefined;

  private constructor(readonly folder: string) {}

  static async make(): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), 'plat-edge-'));
    // nginx's workers store large bodies in the folder. They run as `nobody` if this process is root.
    await chmod(folder, 0o755);
    return new Nginx(folder);
  }

  /** Its first process. */
  get pid(): number {
    return this.server!.pid;
  }

  /** @param lines of its `http` block @returns what stops it, and removes the folder */
  async start(lines: readonly string[]): Promise<() => Promise<void>> {
    const { folder } = this;
    await this.configure(lines);
    const server = await startServerProcess({
      program: peer('nginx'),
      args: ['-e', 'stderr', '-p', folder, '-c', this.file],
      ready: SERVES,
    });
    this.server = server;
    return async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    };
  }

  /** Continues with other lines. Resolves when new connections are served by them; requests under way continue. */
  async reload(lines: readonly string[]): Promise<void> {
    await this.configure(lines);
    const reloaded = this.server!.says(SERVES);
    this.server!.signal('SIGHUP');
    await reloaded;
  }

  private get file(): string {
    return join(this.folder, 'nginx.conf');
  }

  private async configure(lines: readonly string[]): Promise<void> {
    const { folder } = this;
    const spools = SPOOLS.map((name) => `${name}_temp_path ${folder}/${name};`);
    const configuration = `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events { worker_connections 4096; }
http {
  access_log off;
  ${[...spools, ...lines].join('\n  ')}
}
`;
    await writeFile(this.file, configuration);
  }
}

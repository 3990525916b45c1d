import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peer } from './peer';
import { startServerProcess } from './server-process';

/** Of the folders in which nginx stores large bodies; by default they belong to root. */
const SPOOLS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** nginx in a folder of its own. */
export class Nginx {
  private constructor(readonly folder: string) {}

  static async make(): Promise<Nginx> {
    const folder = await mkdtemp(join(tmpdir(), 'plat-edge-'));
    // nginx's workers store large bodies in the folder. They run as `nobody` if this process is root.
    await chmod(folder, 0o755);
    return new Nginx(folder);
  }

  /** @param lines of its `http` block @returns what stops it, and removes the folder */
  async start(lines: readonly string[]): Promise<() => Promise<void>> {
    const { folder } = this;
    const spools = SPOOLS.map((name) => `${name}_temp_path ${folder}/${name};`);
    const file = join(folder, 'nginx.conf');
    const configuration = `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events { }
http {
  access_log off;
  ${[...spools, ...lines].join('\n  ')}
}
`;
    await writeFile(file, configuration);
    const server = await startServerProcess({
      program: peer('nginx'),
      args: ['-e', 'stderr', '-p', folder, '-c', file],
      ready: /start worker process /,
    });
    return async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    };
  }
}

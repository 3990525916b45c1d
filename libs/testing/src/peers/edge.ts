import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port';
import { peer } from './peer';
import { startServerProcess } from './server-process';

/** nginx before services, routing by path. */
export interface EdgePeer {
  url: string;
  stop(): Promise<void>;
}

/**
 * @param routesFile the file with the locations, which name upstreams
 * @param upstreams the base addresses behind each name; a name has at least one
 */
export async function startEdge(
  routesFile: string,
  upstreams: Record<string, readonly string[]>,
): Promise<EdgePeer> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-edge-'));
  // nginx's workers store large bodies in the folder. They run as `nobody` if this process is root.
  await chmod(folder, 0o755);
  const port = await findFreePort();
  const upstream = ([name, urls]: [string, readonly string[]]) =>
    `upstream ${name} { ${urls.map((url) => `server ${new URL(url).host};`).join(' ')} }`;
  const spools = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const configuration = `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events { }
http {
  access_log off;
  ${spools.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${Object.entries(upstreams).map(upstream).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    include ${routesFile};
  }
}
`;
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration);
  const server = await startServerProcess({
    program: peer('nginx'),
    args: ['-e', 'stderr', '-p', folder, '-c', file],
    ready: /start worker process /,
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

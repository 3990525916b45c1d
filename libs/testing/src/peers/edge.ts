import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findFreePort } from './free-port';
import { Nginx } from './nginx';

/** The base addresses of the replicas behind each name; a name that is absent is answered 502. */
export type Upstreams = Readonly<Record<string, readonly string[]>>;

/** nginx before services, routing by path. */
export interface EdgePeer {
  url: string;
  pid: number;
  /** Sends new requests to other replicas. Resolves when nginx does; requests under way go on. */
  route(upstreams: Upstreams): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts nginx with the routes and upstreams of a folder, as a deployer includes them.
 *
 * @param routesFile the file with the locations, next to which `upstreams.conf` has the upstreams that they name
 */
export async function startEdge(routesFile: string, upstreams: Upstreams): Promise<EdgePeer> {
  const nginx = await Nginx.make();
  const port = await findFreePort();
  const template = await readFile(join(dirname(routesFile), 'upstreams.conf'), 'utf8');
  const lines = (present: Upstreams) => [
    withServers(template, present),
    `server { listen 127.0.0.1:${port}; include ${routesFile}; }`,
  ];
  const stop = await nginx.start(lines(upstreams));
  return {
    url: `http://127.0.0.1:${port}`,
    pid: nginx.pid,
    route: (present) => nginx.reload(lines(present)),
    stop,
  };
}

/** Puts addresses in the places of the template, with the settings that its servers have. */
function withServers(template: string, upstreams: Upstreams): string {
  const [, settings = ''] = /^ +server \S+( .*)?;$/m.exec(template)!;
  return template.replace(/^upstream (\w+) \{$[^}]*\}$/gm, (_block, name: string) => {
    const servers = (upstreams[name] ?? []).map((url) => `server ${new URL(url).host}${settings};`);
    // An upstream must have a server.
    if (servers.length === 0) servers.push('server 127.0.0.1:9 down;');
    return `upstream ${name} { ${servers.join(' ')} }`;
  });
}

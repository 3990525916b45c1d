import { findFreePort } from './free-port';
import { Nginx } from './nginx';

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
  const nginx = await Nginx.make();
  const port = await findFreePort();
  const upstream = ([name, urls]: [string, readonly string[]]) =>
    `upstream ${name} { ${urls.map((url) => `server ${new URL(url).host};`).join(' ')} }`;
  const stop = await nginx.start([
    ...Object.entries(upstreams).map(upstream),
    `server { listen 127.0.0.1:${port}; include ${routesFile}; }`,
  ]);
  return { url: `http://127.0.0.1:${port}`, stop };
}

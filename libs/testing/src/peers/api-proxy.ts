import { join } from 'node:path';
import { findFreePort } from './free-port';
import { peer } from './peer';
import { startServerProcess } from './server-process';

/** The published description of GitHub's REST API (`@octokit/openapi`), trimmed to the calls that the client makes. */
const FORGE_API = join(__dirname, '..', 'forge', 'forge-api.json');

/** A proxy that passes on the calls and answers that an API's description allows, and answers 422 or 500 to others. */
export interface ApiProxy {
  url: string;
  stop(): Promise<void>;
}

/** Puts Prism before a forge: a call or an answer that does not fit the forge's API is answered with an error. */
export async function startForgeProxy(forgeUrl: string): Promise<ApiProxy> {
  const port = await findFreePort();
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const prism = await startServerProcess({
    program: peer('prism'),
    args: ['proxy', FORGE_API, forgeUrl, '--errors', ...address],
    ready: /Prism is listening/,
  });
  return { url: `http://127.0.0.1:${port}`, stop: prism.stop };
}

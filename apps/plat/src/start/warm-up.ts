import { rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { saveAlias } from '../config/config-file';
import { readEnvironment, useHome } from '../environment';
import { sessionPath, writeSession } from '../session/stored-session';
import { codeCachePath, compileBundle } from './compiled-bundle';

type Cli = typeof import('./cli');

/** Command lines whose code is cached. Each further one would make the cache slower to read for all commands. */
const COMMON = [
  ['review', 'list', '--json'],
  ['review', 'list'],
  ['review', 'queue', 'list', '--any-repository'],
];

/**
 * A step of the build: runs the bundle's common commands once against an empty platform, and writes V8's code of them
 * next to the bundle.
 *
 * @param bundlePath absolute path of `cli.js`
 * @param home an empty folder to run in
 */
async function warmUp(bundlePath: string, home: string): Promise<void> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  useHome(home);
  await signIn(readEnvironment().configFolder, `http://127.0.0.1:${port}`);
  const bundle = compileBundle<Cli>(bundlePath);
  const { runCli } = bundle.run();
  for (const argv of COMMON) await runCli(argv, { root: dirname(bundlePath), version: '0.0.0' });
  const finished = `${codeCachePath(bundlePath)}.new`;
  await writeFile(finished, bundle.codeCache());
  await rename(finished, codeCachePath(bundlePath));
  server.close();
}

async function signIn(configFolder: string, apiUrl: string): Promise<void> {
  const alias: PlatformAlias = {
    name: 'warm-up',
    kind: PLATFORM_KIND,
    apiUrl,
    audience: apiUrl,
    issuer: apiUrl,
    clientId: 'warm-up',
  };
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await saveAlias(configFolder, alias);
  await writeSession(sessionPath(configFolder, alias), { accessToken: 'warm-up', expiresAt });
}

void warmUp(process.argv[2] ?? '', process.argv[3] ?? '');

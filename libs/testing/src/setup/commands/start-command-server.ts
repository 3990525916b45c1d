import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { fork } from '../../starter/child-process';
import { keepStop } from '../kept-stops';

/**
 * Starts the server that runs the commands of the jest workers. It ends with the run.
 *
 * @returns the path of its socket
 */
export async function startCommandServer(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-commands-'));
  const [program, socket] = [join(folder, 'command-server.js'), join(folder, 'socket')];
  await build({
    entryPoints: [join(__dirname, 'command-server.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    logLevel: 'error',
  });
  await stop();
  const server = fork(program, [socket], { execArgv: [] });
  const ended = once(server, 'exit');
  keepStop(async () => {
    server.disconnect();
    await ended;
    await rm(folder, { recursive: true });
  });
  await once(server, 'message');
  return socket;
}

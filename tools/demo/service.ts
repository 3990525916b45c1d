import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Unexpected } from './report';

export interface RunningService {
  apiUrl: string;
  stop(): Promise<void>;
}

/** Starts `npm start` on data of its own and a free port, and waits for its ready file. */
export async function startService(workspaceRoot: string, folder: string): Promise<RunningService> {
  const readyFile = join(folder, 'ready.json');
  const args = ['--port', '0', '--data-dir', join(folder, 'data'), '--ready-file', readyFile];
  const child = spawn(process.execPath, [join(workspaceRoot, 'tools/run.mjs'), 'start', ...args], {
    cwd: workspaceRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await Promise.race([
    appearance(readyFile),
    ended.then(() => {
      throw new Unexpected(`the service did not start:\n${said}`);
    }),
  ]);
  const { apiUrl } = JSON.parse(await readFile(readyFile, 'utf8')) as { apiUrl: string };
  return {
    apiUrl,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Resolves once a file is there; it is written atomically, so it is whole then. */
function appearance(file: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(file), (_event, name) => {
      if (name !== basename(file)) return;
      watcher.close();
      resolve();
    });
  });
}

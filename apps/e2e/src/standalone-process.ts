import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** `npm start` on data of its own and a free port. */
export interface StandaloneProcess {
  apiUrl: string;
  stop(): Promise<void>;
}

const workspaceRoot = join(__dirname, '../../..');

/** @throws Error with its output if it ends before it is ready */
export async function startStandalone(): Promise<StandaloneProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-standalone-'));
  const readyFile = join(folder, 'ready.json');
  const args = ['--port', '0', '--data-dir', join(folder, 'data'), '--ready-file', readyFile];
  const child = spawn(process.execPath, [join(workspaceRoot, 'tools/run.mjs'), 'start', ...args], {
    cwd: workspaceRoot,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const said = text(child.stderr);
  const giveUp = new AbortController();
  await Promise.race([
    appearance(folder, giveUp.signal),
    ended.then(async () => {
      throw new Error(`npm start ended before it was ready:\n${await said}`);
    }),
  ]).finally(() => giveUp.abort());
  const { apiUrl } = JSON.parse(await readFile(readyFile, 'utf8')) as { apiUrl: string };
  return {
    apiUrl,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Resolves once the ready file is in the folder. It is written atomically, so it is complete then. */
async function appearance(folder: string, signal: AbortSignal): Promise<void> {
  for await (const { filename } of watch(folder, { signal })) if (filename === 'ready.json') return;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftProcesses } from './left-processes.mjs';

const onLinux = existsSync('/proc/self/cmdline') ? describe : describe.skip;

onLinux('processes that tests leave behind', () => {
  let folder: string;
  let program: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-left-'));
    program = join(folder, 'program.js');
    await writeFile(program, `console.log('started'); setInterval(() => {}, 1000);`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function start(args: string[], cwd?: string) {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return { child, ended: once(child, 'exit') };
  }

  it('are named and ended: by a path in the folder of the run, or because they work there', async () => {
    const run = await start([program]);
    const working = await start(['-e', `console.log('started'); setInterval(() => {}, 1000)`], folder);
    const left = await endLeftProcesses(folder, 0);
    const named = [run, working].map(({ child }) => expect.stringContaining(String(child.pid)) as string);
    expect(left.sort()).toEqual([...named].sort());
    expect(left).toContainEqual(expect.stringContaining(program));
    expect((await Promise.all([run.ended, working.ended])).map(([, signal]) => signal as string)).toEqual([
      'SIGKILL',
      'SIGKILL',
    ]);
  });

  it('are none if they end by themselves in time', async () => {
    const { child, ended } = await start([program]);
    const looking = endLeftProcesses(folder);
    child.kill('SIGTERM');
    await ended;
    expect(await looking).toEqual([]);
  });

  it('are none in another folder whose name begins alike', async () => {
    const { child, ended } = await start([program]);
    expect(await endLeftProcesses(folder.slice(0, -1), 0)).toEqual([]);
    child.kill('SIGTERM');
    await ended;
  });
});

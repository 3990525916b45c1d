import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@plat/testing';
import { DAEMON_PROGRAM, forwardArgs } from './forward-argv';
import { readProcess, type RunningProcess } from './running-process';
import { stopForward } from './stop-forward';

const START = {
  namespace: 'acme-dev1',
  service: 'acme-ssh',
  localPort: 17_022,
  port: 17_022,
  state: '/none.json',
};
const READY = 'process.stdout.write("ready\\n"); setInterval(() => undefined, 60_000);';
let folder: string;
let children: ChildProcess[];

/** Starts a program of node that lives until it is stopped. */
async function start(program: string, text: string, args = forwardArgs(START)): Promise<RunningProcess> {
  const path = join(folder, program);
  await writeFile(path, text);
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  const running = await readProcess(child.pid ?? 0);
  if (running === undefined) throw new Error('the program does not run');
  return running;
}
const childOf = ({ pid }: RunningProcess) => children.find((child) => child.pid === pid);

beforeEach(async () => {
  children = [];
  folder = await mkdtemp(join(tmpdir(), 'plat-stop-forward-'));
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true });
});

describe('a running process', () => {
  it('has its arguments', async () => {
    const running = await start(DAEMON_PROGRAM, READY);
    expect(running.argv).toEqual([process.execPath, join(folder, DAEMON_PROGRAM), ...forwardArgs(START)]);
  });

  it.each([0, -1, -4711, 2 ** 31, 2 ** 53, 1e300, Number.NaN, 1.5])('is none with the id %d', async (pid) => {
    expect(await readProcess(pid)).toBeUndefined();
  });
});

describe('stopping a forward', () => {
  it('ends it with SIGTERM. Rule H9', async () => {
    const running = await start(DAEMON_PROGRAM, READY);
    expect(await stopForward(running)).toBe(true);
    expect(childOf(running)?.signalCode ?? 'SIGTERM').toBe('SIGTERM');
    expect(await readProcess(running.pid)).toBeUndefined();
    expect(await stopForward(running)).toBe(true);
  });

  it('ends one that ignores SIGTERM with SIGKILL. Rule H9', async () => {
    const running = await start(DAEMON_PROGRAM, `process.on('SIGTERM', () => undefined); ${READY}`);
    expect(await stopForward(running)).toBe(true);
  });

  it('ends one that is suspended', async () => {
    const running = await start(DAEMON_PROGRAM, READY);
    process.kill(running.pid, 'SIGSTOP');
    expect(await stopForward(running)).toBe(true);
  });

  it('signals no other program. Rules G11 and H9', async () => {
    const running = await start('other.js', READY);
    const forged = { ...running, argv: ['node', DAEMON_PROGRAM, ...forwardArgs(START)] };
    expect(await stopForward(forged)).toBe(false);
    expect(await readProcess(running.pid)).toEqual(running);
  });

  it('signals no forward of another user, who may give a process any arguments', async () => {
    const running = await start(DAEMON_PROGRAM, READY);
    expect(running.isOwn).toBe(true);
    const user = jest.spyOn(process, 'geteuid').mockReturnValue(process.geteuid!() + 1);
    expect(await stopForward(running)).toBe(false);
    user.mockRestore();
    expect(await readProcess(running.pid)).toEqual(running);
  });

  it('signals no forward that has the id of an ended one', async () => {
    const running = await start(DAEMON_PROGRAM, READY);
    expect(await stopForward({ ...running, began: 'an earlier time' })).toBe(true);
    expect(await readProcess(running.pid)).toEqual(running);
  });
});

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawn, spawnSync } from '@plat/testing';
import { endProcesses, processesOf, waitForProcessesOf } from './left-processes.mjs';

const moduleUrl = JSON.stringify(pathToFileURL(join(__dirname, 'run-folder.mjs')).href);
const SHARED_MEMORY = '/dev/shm';
const STAY = 'setInterval(() => undefined, 1000)';
const START_SLEEP = `
    const { spawn } = await import('node:child_process');
    spawn('sleep', ['600'], { cwd: folder, stdio: 'ignore' });`;

interface Places {
  memory: string;
  disk: string;
}

/** Arguments of a node that makes the folder as a user, prints its path, and then runs the rest of the script. */
function making(places: Places, rest = '', user?: number): string[] {
  const script = `
    ${user === undefined ? '' : `process.seteuid(${user});`}
    const { makeRunFolder } = await import(${moduleUrl});
    const folder = makeRunFolder(${JSON.stringify(places)});
    console.log(folder);
    ${rest}`;
  return ['--input-type=module', '-e', script];
}

function maker(places: Places, rest?: string) {
  return spawn(process.execPath, making(places, rest), { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Waits for the end of a process. @returns what it printed, and how it ended */
async function outcome(child: ReturnType<typeof maker>) {
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { folder: printed.trim(), code, signal };
}

/** Parents of run folders, in memory as well if the machine has memory that runs programs. */
const parents: Record<string, string> = { disk: tmpdir() };
const probed = spawnSync(process.execPath, making({ memory: SHARED_MEMORY, disk: tmpdir() }), {
  encoding: 'utf8',
});
if (probed.stdout.startsWith(SHARED_MEMORY)) parents.memory = SHARED_MEMORY;

it('takes the disk where there is no memory to be had', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'plat-spec-'));
  const made = await outcome(maker({ memory: '/nonexistent', disk }));
  expect(made).toEqual({ folder: expect.stringContaining(disk), code: 0, signal: null });
  await rm(disk, { recursive: true });
});

describe.each(Object.entries(parents))('on the %s', (kind, root) => {
  let parent: string;
  let places: Places;
  beforeEach(async () => {
    parent = await mkdtemp(join(root, 'plat-spec-'));
    places =
      kind === 'memory' ? { memory: parent, disk: '/nonexistent' } : { memory: '/nonexistent', disk: parent };
  });
  afterEach(() => rm(parent, { recursive: true }));

  it('makes a folder, which is gone when the process has ended', async () => {
    const made = await outcome(maker(places));
    expect(made).toEqual({ folder: expect.stringContaining(parent), code: 0, signal: null });
    expect(existsSync(made.folder)).toBe(false);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'removes it on %s, which ends the process and what it started there',
    async (signal) => {
      const child = maker(places, START_SLEEP + STAY);
      await once(child.stdout, 'data');
      const started = await waitForOne(parent, 'sleep 600');
      child.kill(signal);
      expect(await once(child, 'close')).toEqual([null, signal]);
      expect(await readdir(parent)).toEqual([]);
      expect((await waitForProcessesOf(parent)).map(({ pid }) => pid)).not.toContain(started);
    },
  );

  it('removes the folders of processes that were killed, with what they left running, and no other', async () => {
    const child = maker(places, STAY);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const left = line.toString().trim();
    const stray = spawn('sleep', ['600'], { cwd: left, stdio: 'ignore' });
    await once(stray, 'spawn');
    child.kill('SIGKILL');
    await once(child, 'close');
    const others = [`plat-run-${process.pid}-x`, 'plat-run-x', 'something'];
    for (const name of others) await mkdir(join(parent, name));
    expect(existsSync(left)).toBe(true);
    const ended = once(stray, 'exit');
    await outcome(maker(places));
    expect((await readdir(parent)).sort()).toEqual(others.sort());
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});

// Only root may mount, and only Linux lists what is mounted.
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';
(isRoot ? it : it.skip)('removes a folder in which a killed build left mounts', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'plat-spec-'));
  const child = maker({ memory: '/nonexistent', disk }, STAY);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const inner = join(line.toString().trim(), 'graph', 'a layer');
  await mkdir(inner, { recursive: true });
  expect(spawnSync('mount', ['-t', 'tmpfs', 'none', inner]).status).toBe(0);
  await mkdir(join(inner, 'merged'));
  expect(spawnSync('mount', ['-t', 'tmpfs', 'none', join(inner, 'merged')]).status).toBe(0);
  child.kill('SIGKILL');
  await once(child, 'close');
  await outcome(maker({ memory: '/nonexistent', disk }));
  expect(await readdir(disk)).toEqual([]);
  await rm(disk, { recursive: true });
});

(isRoot ? it : it.skip)(
  'removes nothing of another user, who may give links and folders any name, and nothing that these lead to',
  async () => {
    const [person, stranger] = [64_001, 64_002];
    const parent = await mkdtemp(join(tmpdir(), 'plat-spec-'));
    await chmod(parent, 0o1777);
    const home = join(parent, 'home');
    await mkdir(join(home, 'documents'), { recursive: true });
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const [link, folder] = ['link', 'folder'].map((name) => join(parent, `plat-run-${gone}-${name}`));
    await symlink(home, link!);
    await mkdir(folder!);
    await symlink(home, join(folder!, 'link'));
    for (const path of [home, join(home, 'documents')]) await chown(path, person, person);
    for (const path of [link!, folder!, join(folder!, 'link')]) await lchown(path, stranger, stranger);
    await chmod(folder!, 0o1777);
    const places = { memory: '/nonexistent', disk: parent };
    const made = spawnSync(process.execPath, making(places, '', person), { encoding: 'utf8' });
    expect([await readdir(home), made.status, made.stderr]).toEqual([['documents'], 0, '']);
    await rm(parent, { recursive: true });
  },
);

describe('the processes of a run', () => {
  it.each([
    ['a variable', { env: { MARK: '/run-of-spec' } }, []],
    ['an argument', {}, ['/run-of-spec']],
  ])('are found by %s', async (_by, options, args) => {
    const script = 'setInterval(() => undefined, 1000)';
    const child = spawn(process.execPath, ['-e', script, ...args], { stdio: 'ignore', ...options });
    await once(child, 'spawn');
    const found = processesOf('/run-of-spec');
    endProcesses(found);
    expect(found.map(({ pid }) => pid)).toEqual([child.pid]);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });
});

/** The pid of a process of the folder with this command, as soon as there is one. */
async function waitForOne(folder: string, command: string): Promise<number> {
  for (;;) {
    const found = processesOf(folder).find((one) => one.command === command);
    if (found) return found.pid;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

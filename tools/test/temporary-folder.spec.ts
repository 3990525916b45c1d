import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolderInMemory, temporaryFolderOnDisk } from './temporary-folder.mjs';

const moduleUrl = JSON.stringify(pathToFileURL(join(__dirname, 'temporary-folder.mjs')).href);
const SHARED_MEMORY = '/dev/shm';

/** Arguments of a node that makes the folder below the parent, prints its path, and then runs the rest of the script. */
function making(parent: string, rest = ''): string[] {
  const script = `
    const { temporaryFolderInMemory } = await import(${moduleUrl});
    console.log(temporaryFolderInMemory(${JSON.stringify(parent)}) ?? 'none');
    ${rest}`;
  return ['--input-type=module', '-e', script];
}

function maker(parent: string, rest?: string) {
  return spawn(process.execPath, making(parent, rest), { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** What the process printed, and how it ended. */
async function outcome(child: ReturnType<typeof maker>) {
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { folder: printed.trim(), code, signal };
}

it('makes none on a disk, or in a place that does not exist', () => {
  expect([__dirname, '/nonexistent'].map(temporaryFolderInMemory)).toEqual([undefined, undefined]);
});

it('makes one on a disk if it is asked to, and none in a place that does not exist', () => {
  const script = `
    const { temporaryFolderOnDisk } = await import(${moduleUrl});
    console.log(temporaryFolderOnDisk(${JSON.stringify(tmpdir())}));`;
  const made = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(made.stdout).toMatch(new RegExp(`^${tmpdir()}/plat-run-\\d+-`));
  expect(existsSync(made.stdout.trim())).toBe(false);
  expect(temporaryFolderOnDisk('/nonexistent')).toBeUndefined();
});

// A machine may have little shared memory, or forbid programs in it. Its tests then use the usual folder.
const { stdout } = spawnSync(process.execPath, making(SHARED_MEMORY), { encoding: 'utf8' });
const withMemory = stdout === 'none\n' ? describe.skip : describe;

withMemory('in shared memory', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(SHARED_MEMORY, 'plat-spec-'));
  });
  afterEach(() => rm(parent, { recursive: true }));

  it('makes a folder, which is gone when the process has ended', async () => {
    const made = await outcome(maker(parent));
    expect(made).toEqual({ folder: expect.stringContaining(parent), code: 0, signal: null });
    expect(existsSync(made.folder)).toBe(false);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'removes it on %s, which ends the process',
    async (signal) => {
      const child = maker(parent, 'setInterval(() => undefined, 1000)');
      child.stdout?.once('data', () => child.kill(signal));
      expect(await outcome(child)).toMatchObject({ folder: expect.stringContaining(parent), signal });
      expect(await readdir(parent)).toEqual([]);
    },
  );

  it('removes the folders of processes that were killed, and no other', async () => {
    const child = maker(parent, 'setInterval(() => undefined, 1000)');
    child.stdout?.once('data', () => child.kill('SIGKILL'));
    const { folder: left } = await outcome(child);
    const others = [`plat-run-${process.pid}-x`, 'plat-run-x', 'something'];
    for (const name of others) await mkdir(join(parent, name));
    expect(existsSync(left)).toBe(true);
    await outcome(maker(parent));
    expect((await readdir(parent)).sort()).toEqual(others.sort());
  });
});

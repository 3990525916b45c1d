import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openByLsof, openFilesIn, withoutOpen } from './open-files';

let folder: string;
let path: string;
let held: FileHandle;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-open-files-'));
  path = join(folder, 'dev1.log');
  held = await open(path, 'a');
});
afterEach(async () => {
  await held.close();
  await rm(folder, { recursive: true });
});

/** A program in the place of lsof. */
async function lsof(script: string): Promise<string> {
  const program = join(folder, 'lsof');
  await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  return program;
}

describe('files that no process has open. Spec: Client, Log retention and cleanup, rule 5', () => {
  it('are those that the system does not list', async () => {
    const other = join(folder, 'dev2.log');
    expect(await withoutOpen([path, other])).toEqual([other]);
  });

  it.each<[string, () => ReturnType<typeof openFilesIn>]>([
    ['without lsof', () => openByLsof(join(folder, 'no-lsof'), [path])],
    ['if lsof fails', async () => openByLsof(await lsof('exit 2'), [path])],
    ['without /proc', () => openFilesIn(join(folder, 'no-proc'))],
    ['if /proc shows no files', () => openFilesIn(folder)],
  ])('are none %s, so every log is kept', async (_what, list) => {
    expect(await list()).toBeUndefined();
    expect(await withoutOpen([path, join(folder, 'dev2.log')], list)).toEqual([]);
  });

  it('are those that lsof does not list', async () => {
    const program = await lsof(`printf 'p1\\nf3\\nn${path}\\n'; exit 1`);
    const list = (paths: readonly string[]) => openByLsof(program, paths);
    expect(await withoutOpen([path, join(folder, 'dev2.log')], list)).toEqual([join(folder, 'dev2.log')]);
  });
});

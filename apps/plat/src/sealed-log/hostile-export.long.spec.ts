import { appendFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile, SealedLog, writeLogFiles } from '@plat/testing';
import { Machine } from '../black-box/plat-process';

const GIBIBYTE = 1024 ** 3;

describe('plat audit verify on a folder that another person has packed', () => {
  let machine: Machine;
  let folder: string;
  let log: SealedLog;

  beforeEach(async () => {
    machine = await Machine.create();
    folder = join(machine.home, 'trail');
    log = new SealedLog();
    log.addAudit(300);
    await writeLogFiles(folder, log.files());
  });
  afterEach(() => machine.remove());

  const verify = () => machine.plat(['audit', 'verify', folder, '--key', log.verifierKey(), '--json']);

  const becomesPipe = async (path: string) => {
    await rm(path);
    await promisify(execFile)('mkfifo', [path]);
  };
  const becomesLink = (to: string) => async (path: string) => {
    await rm(path);
    await symlink(to, path);
  };
  const isMoved = async (path: string) => {
    await rename(path, join(machine.home, 'moved'));
    await symlink(join(machine.home, 'moved'), path);
  };

  it.each<[string, string, (path: string) => Promise<unknown>, string, number | undefined]>([
    ['a pipe', 'checkpoint', becomesPipe, 'is not a regular file', undefined],
    ['a link to a device', 'checkpoint', becomesLink('/dev/zero'), 'is a link, or below one', undefined],
    [
      'a link to itself',
      'checkpoint',
      becomesLink('checkpoint'),
      'is a link that leads to itself',
      undefined,
    ],
    ['a link to the same file', 'checkpoint', isMoved, 'is a link, or below one', undefined],
    [
      'a huge sparse file',
      'checkpoint',
      (path) => truncate(path, 5 * GIBIBYTE),
      'has more than 1000000 bytes',
      undefined,
    ],
    ['a pipe', 'tile/0/000', becomesPipe, 'is not a regular file', 0],
    [
      'a tile with another hash',
      'tile/0/000',
      (path) => appendFile(path, 'x'),
      'has more than 8192 bytes',
      0,
    ],
    ['a link', 'tile/0/001.p/45', isMoved, 'is a link, or below one', 256],
    ['a link to a folder', 'tile/entries', isMoved, 'is a link, or below one', 0],
    [
      'a huge sparse file',
      'tile/entries/000',
      (path) => truncate(path, 2 * GIBIBYTE),
      'has more than 16777472 bytes',
      0,
    ],
    ['a pipe', 'disclosed/001.p/45', becomesPipe, 'is not a regular file', 256],
    [
      'a huge sparse file',
      'disclosed/000',
      (path) => truncate(path, 2 * GIBIBYTE),
      'has more than 67108864 bytes',
      0,
    ],
  ])('finds %s in the place of %s', async (_what, name, make, why, index) => {
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND' });
    await make(join(folder, name));
    const run = await verify();
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      outcome: 'ALTERED',
      reason: expect.stringMatching(new RegExp(`^The file ${name}.* ${why}\\.$`)) as unknown,
    });
    expect(run.json<{ index?: number }>().index).toBe(index);
  });

  it.each<[string, (path: string) => Promise<unknown>, string]>([
    ['a pipe', becomesPipe, 'is not a regular file'],
    ['a device', becomesLink('/dev/zero'), 'is not a regular file'],
    ['a huge sparse file', (path) => truncate(path, 5 * GIBIBYTE), 'has more than'],
  ])('takes %s neither for a key nor for a known checkpoint', async (_what, make, why) => {
    const file = join(machine.home, 'given');
    await writeFile(file, log.verifierKey());
    await make(file);
    const key = await machine.plat(['audit', 'verify', folder, '--key', file, '--json']);
    expect(key.json()).toMatchObject({ code: 'KEY_NOT_READABLE', message: expect.stringContaining(why) });
    const given = ['--key', log.verifierKey(), '--known', file];
    const known = await machine.plat(['audit', 'verify', folder, ...given, '--json']);
    expect(known.json()).toMatchObject({ code: 'KNOWN_NOT_READABLE', message: expect.stringContaining(why) });
  });
});

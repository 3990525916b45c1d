import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MOUNTED_ALIAS } from '../black-box/runtime-pod';
import { seedSession } from './seed-session';

const REMEDY = 'run plat init again with --renew-session on a signed-in machine, which provisions a session.';

it('a session whose take-over cannot be remembered is not taken over: its reuse would end it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-seed-'));
  const [mount, configFolder] = [join(folder, 'mount'), join(folder, 'config')];
  await mkdir(mount);
  await mkdir(configFolder);
  await writeFile(join(mount, 'alias.json'), JSON.stringify(MOUNTED_ALIAS));
  const session = { refreshToken: 'refresh-1', provisionedAt: '2026-11-22T00:00:00.000Z' };
  await writeFile(join(mount, 'session.json'), JSON.stringify(session));
  // A file in place of the folder fails as a full disk does.
  await writeFile(join(folder, 'full'), '');
  const environmentConfig = join(folder, 'full', 'dev');
  await expect(seedSession({ mount, configFolder, environmentConfig })).rejects.toMatchObject({
    code: 'ENOTDIR',
  });
  expect(await readdir(configFolder)).toEqual([]);
  await rm(folder, { recursive: true });
});

describe('a pod without a session that it can use', () => {
  it.each<[string, Record<string, string>, string]>([
    ['none', {}, 'none'],
    ['one without its alias', { 'session.json': '{}' }, 'unusable'],
  ])('names the flag that replaces one which the machine would keep: %s', async (_kind, files, outcome) => {
    const mount = await mkdtemp(join(tmpdir(), 'plat-seed-'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(mount, name), text);
    const seeded = await seedSession({ mount, configFolder: mount, environmentConfig: mount });
    expect(seeded).toMatchObject({ outcome, message: expect.stringContaining(REMEDY) });
    await rm(mount, { recursive: true });
  });
});

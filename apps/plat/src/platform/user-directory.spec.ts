import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { aliasFileName } from '../session/stored-session';
import { listAliases } from './alias-status';
import { readCachedUsers } from './user-directory';

const url = 'https://api.example.com';
const alias: PlatformAlias = {
  name: 'work',
  kind: PLATFORM_KIND,
  apiUrl: url,
  audience: url,
  issuer: url,
  clientId: 'c',
};

describe('the files of an alias on this machine', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-kept-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"readAt":"x"}',
    '{"readAt":"x","users":[{"userId":1}]}',
    '{"readAt":"x","users":[null]}',
  ])('a directory of users that contains %j counts as not read', async (text) => {
    await mkdir(join(folder, 'users'));
    await writeFile(join(folder, 'users', `${aliasFileName(alias)}.json`), text);
    expect(await readCachedUsers(folder, alias)).toBeUndefined();
  });

  it('an unreadable directory of users is a failure, not an empty one', async () => {
    await mkdir(join(folder, 'users', `${aliasFileName(alias)}.json`), { recursive: true });
    await expect(readCachedUsers(folder, alias)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('aliases of any kind are listed, also those that cannot have a session', async () => {
    const cloudAliases = [
      alias,
      { name: 'vendor', kind: 'cloud-a' },
      { name: 'half', kind: 'platform', apiUrl: url },
    ];
    await writeFile(join(folder, 'config.yaml'), JSON.stringify({ cloudAliases }));
    expect(await listAliases(folder)).toEqual([
      { alias: 'work', kind: 'platform', isDefault: false, apiUrl: url },
      { alias: 'vendor', kind: 'cloud-a', isDefault: false },
      { alias: 'half', kind: 'platform', isDefault: false, apiUrl: url },
    ]);
  });
});

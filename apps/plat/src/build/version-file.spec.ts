import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVersion, snapshotOf } from './version-file';

describe('the version of a build', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-version-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('is <VERSION>-snapshot-<YYYYMMDDhhmmss> in UTC', () => {
    expect(snapshotOf('1.4.0', new Date('2026-01-02T03:04:05.678Z'))).toBe('1.4.0-snapshot-20260102030405');
  });

  it.each(['1.4.0', '1.4.0\n', '  10.0.1-rc.2 \r\n'])('is read from VERSION: %j', async (text) => {
    await writeFile(join(folder, 'VERSION'), text);
    expect(await readVersion(folder)).toBe(text.trim());
  });

  it('names the next step if there is none', async () => {
    const next = `echo 0.1.0 > ${join(folder, 'VERSION')}`;
    await expect(readVersion(folder)).rejects.toMatchObject({ code: 'NO_VERSION', next });
  });

  it.each(['', 'v1.4.0', '1.4', '1.4.0+build', '1.4.0\n1.5.0', `1.4.0-${'a'.repeat(110)}`])(
    'is refused if VERSION contains %j',
    async (text) => {
      await writeFile(join(folder, 'VERSION'), text);
      await expect(readVersion(folder)).rejects.toMatchObject({ code: 'INVALID_VERSION' });
    },
  );
});

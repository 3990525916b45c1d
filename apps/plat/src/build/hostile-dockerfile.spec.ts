import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discoverRecipe } from './recipe';

describe('a project with more Dockerfiles than a person writes', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-parts-'));
    await mkdir(join(folder, 'docker'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const discover = () => discoverRecipe({ project: { folder, name: 'app' }, scriptDisabled: false });
  /** Each part is a link to the first one, as in git, where each is the same blob. */
  async function addParts(count: number, dockerfile: string): Promise<void> {
    await mkdir(join(folder, 'docker', '0'));
    await writeFile(join(folder, 'docker', '0', 'Dockerfile'), dockerfile);
    for (let part = 1; part < count; part += 1) await symlink('0', join(folder, 'docker', String(part)));
  }

  it.each([
    ['parts', 1001, 'FROM a\n', 'has more than 1000 entries'],
    ['bytes', 12, `FROM a\n${'#'.repeat(800_000)}\n`, 'has Dockerfiles of more than 8388608 bytes'],
  ])('is refused for the number of its %s', async (_what, count, dockerfile, why) => {
    await addParts(count, dockerfile);
    await expect(discover()).rejects.toMatchObject({
      code: 'BUILD_FILE_REFUSED',
      message: `${join(folder, 'docker')} ${why}.`,
    });
  });

  it('is read up to these bounds', async () => {
    await addParts(1000, 'FROM a\n');
    expect(await discover()).toMatchObject({ images: { length: 1000 } });
  });
});

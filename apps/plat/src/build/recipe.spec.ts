import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { discoverRecipe } from './recipe';

describe('the recipe of a project', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-recipe-'))));
  afterEach(() => rm(folder, { recursive: true }));

  async function write(path: string, content: string, mode = 0o644): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    await chmod(join(folder, path), mode);
  }
  const discover = (more: { file?: string; image?: string; scriptDisabled?: boolean } = {}) =>
    discoverRecipe({ project: { folder, name: 'app' }, scriptDisabled: false, ...more });

  it('is its executable build.sh before anything else', async () => {
    await write('build.sh', '#!/bin/sh\n', 0o755);
    await write('Dockerfile', 'FROM scratch\n');
    expect(await discover()).toEqual({ kind: 'script', script: join(folder, 'build.sh'), image: 'app' });
  });

  it('is its Dockerfile if PLAT_DISABLE_BUILD_SCRIPT disables the script', async () => {
    await write('build.sh', '#!/bin/sh\n', 0o755);
    await write('Dockerfile', 'FROM scratch AS test\n');
    const dockerfile = join(folder, 'Dockerfile');
    const images = [{ name: 'app', dockerfile, hasTestStage: true }];
    expect(await discover({ scriptDisabled: true })).toEqual({ kind: 'images', images });
  });

  it('is its Dockerfile, and that of each part', async () => {
    await write('build.sh', 'not executable');
    for (const path of [
      'Dockerfile',
      'docker/worker/Dockerfile',
      'docker/api/Dockerfile',
      'docker/README.md',
    ]) {
      await write(path, 'FROM scratch\n');
    }
    const recipe = await discover();
    expect(recipe).toMatchObject({
      kind: 'images',
      images: [{ name: 'app' }, { name: 'app-api' }, { name: 'app-worker', hasTestStage: false }],
    });
  });

  it('is the Dockerfile that --file names, as the image that --image names', async () => {
    await write('build.sh', '#!/bin/sh\n', 0o755);
    await write('ops/Containerfile', 'FROM scratch\n');
    expect(await discover({ file: 'ops/Containerfile', image: 'tool' })).toMatchObject({
      images: [{ name: 'tool', dockerfile: join(folder, 'ops/Containerfile') }],
    });
    await expect(discover({ file: 'gone' })).rejects.toMatchObject({ code: 'NO_SUCH_DOCKERFILE' });
  });

  it('is the Dockerfile outside the project that a person names, which is marked', async () => {
    await write('app/VERSION', '1.0.0\n');
    await write('other/Dockerfile', 'FROM scratch\n');
    await symlink('../other/Dockerfile', join(folder, 'app/Linked'));
    const project = { folder: join(folder, 'app'), name: 'app' };
    for (const file of ['../other/Dockerfile', join(folder, 'other/Dockerfile'), 'Linked']) {
      const named = { project, file, scriptDisabled: false };
      expect(await discoverRecipe(named)).toMatchObject({ images: [{ outside: true }] });
      await expect(discoverRecipe({ ...named, fileInside: true })).rejects.toMatchObject({
        code: 'BUILD_FILE_REFUSED',
      });
    }
  });

  it('names the missing bit of a build.sh, and the command and key for a project without any', async () => {
    await expect(discover()).rejects.toMatchObject({
      next: expect.stringMatching(/--gate-command <command>.*block gate of \.plat\/config\.yaml/) as unknown,
    });
    await write('build.sh', '#!/bin/sh\n');
    await expect(discover()).rejects.toMatchObject({
      message: `${folder} has no Dockerfile, and its build.sh is not executable.`,
      next: expect.stringContaining('chmod +x build.sh') as unknown,
    });
  });

  it('names the missing files if there is none', async () => {
    await expect(discover()).rejects.toMatchObject({
      code: 'NOTHING_TO_BUILD',
      message: `${folder} has no Dockerfile and no executable build.sh.`,
    });
  });
});

import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFile } from './project-file';

describe("the project's own file, Rule H3,", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'plat-project-'));
    await mkdir(join(root, '.git'));
    await mkdir(join(root, '.plat'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('is none where nothing has its name', () => {
    expect(projectFile(root)).toBeUndefined();
  });

  it('is there if it is a link to itself, so that it does not count as a project without a block', async () => {
    const path = join(root, '.plat', 'config.yaml');
    await symlink('config.yaml', path);
    expect(projectFile(root)).toBe(path);
  });
});

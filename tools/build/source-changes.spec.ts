import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceChanges } from './source-changes.mjs';

describe('the changes of sources', () => {
  let root: string;
  let changes: SourceChanges;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'plat-changes-'));
    await mkdir(join(root, 'apps', 'reviews'), { recursive: true });
    await mkdir(join(root, 'docs'));
    changes = new SourceChanges(root, ['apps']);
  });
  afterEach(async () => {
    changes.close();
    await rm(root, { recursive: true });
  });
  const write = (path: string, text = path) => writeFile(join(root, path), text);

  it('are the files below the folders, each once', async () => {
    await write('docs/a.md');
    await write('apps/reviews/a.ts');
    await write('apps/reviews/a.ts', 'again');
    expect(await changes.next()).toEqual(['apps/reviews/a.ts']);
  });

  it('are kept until they are asked for', async () => {
    const first = changes.next();
    await write('apps/a.ts');
    await first;
    await write('apps/b.ts');
    const second = await changes.next();
    expect([await first, second]).toEqual([['apps/a.ts'], ['apps/b.ts']]);
  });

  it('include the file that an editor renames to its final name', async () => {
    await write('docs/a.ts');
    await rename(join(root, 'docs/a.ts'), join(root, 'apps/reviews/a.ts'));
    expect(await changes.next()).toEqual(['apps/reviews/a.ts']);
  });

  it('include files of folders that are new, or that were removed and made again', async () => {
    for (const folder of ['apps/builds', 'apps/reviews']) {
      await rm(join(root, folder), { recursive: true, force: true });
      await mkdir(join(root, folder, 'inner'), { recursive: true });
      await write(`${folder}/inner/a.ts`);
      expect(await changes.next()).toContain(`${folder}/inner/a.ts`);
      await write(`${folder}/inner/b.ts`);
      expect(await changes.next()).toContain(`${folder}/inner/b.ts`);
    }
  });

  it('end once the watch is closed', async () => {
    const next = changes.next();
    changes.close();
    expect([await next, await changes.next()]).toEqual([undefined, undefined]);
  });

  it('end even if a file has changed at that moment', async () => {
    const watcher = watch(join(root, 'apps'));
    await Promise.all([once(watcher, 'change'), write('apps/a.ts')]);
    watcher.close();
    changes.close();
    expect(await changes.next()).toBeUndefined();
  });
});

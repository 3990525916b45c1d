import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { execFile } from '@plat/testing';
import { snapshotSources } from './source-snapshot';

describe('an image', () => {
  let sources: string;
  beforeAll(async () => {
    sources = await mkdtemp(join(tmpdir(), 'plat-uncommitted-'));
    await snapshotSources(workspaceRoot(), sources);
  }, 60_000);
  afterAll(() => rm(sources, { recursive: true }));

  it.each(['apps/audit/src/left-over.ts', 'README.md'])(
    'is built of nothing that differs from the commit, and the file is named: %s',
    async (file) => {
      await writeFile(join(sources, file), 'mine\n');
      const built = promisify(execFile)(process.execPath, ['tools/images/image.mjs', 'apps/audit'], {
        cwd: sources,
      });
      await expect(built).rejects.toMatchObject({
        stderr: expect.stringMatching(
          new RegExp(`built from a commit, and these files differ from it:\\n.*${file}`),
        ) as string,
      });
    },
  );
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { pathsOfSpecs } from './rests-on.mjs';

describe('the paths of a spec that runs on another database', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'plat-rests-on-'));
    await promisify(execFile)('git', ['init', '--quiet', root]);
  });
  afterEach(() => rm(root, { recursive: true }));

  async function write(files: Record<string, string>): Promise<void> {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
  }

  it('are the spec, the files that it and the setup of tests import by any number of steps, the schema, and the versions of packages', async () => {
    await write({
      'tsconfig.base.json': JSON.stringify({
        compilerOptions: { paths: { '@plat/a': ['./libs/a/index.ts'] } },
      }),
      'libs/a/index.ts': "export { one } from './one';\nexport { two } from './two';\n",
      'libs/a/one.ts': "import { deep } from './deep';\nexport const one = deep;\n",
      'libs/a/deep.ts': 'export const deep = 1;\n',
      'libs/a/two.ts': 'export const two = 2;\n',
      'libs/testing/src/setup/start.ts':
        "import { pooler } from '../pooler';\nexport const start = pooler;\n",
      'libs/testing/src/pooler.ts': 'export const pooler = 1;\n',
      'apps/b/b.db.spec.ts': "import { one } from '@plat/a';\nit('is', () => one);\n",
    });
    const paths = pathsOfSpecs(root, ['apps/b/b.db.spec.ts']).get('apps/b/b.db.spec.ts');
    expect(paths).toEqual(
      expect.arrayContaining([
        'apps/b/b.db.spec.ts',
        'libs/a/one.ts',
        'libs/a/deep.ts',
        'libs/database/functions',
        'libs/database/migrations',
        'libs/testing/src/setup/start.ts',
        'libs/testing/src/pooler.ts',
        'package-lock.json',
      ]),
    );
    expect(paths).not.toContain('libs/a/two.ts');
  });
});

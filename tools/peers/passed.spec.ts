import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { contents, record, staleSpecs, unchangedSpecs } from './passed.mjs';

const SPEC = { file: 'a.peers.spec.ts', paths: ['a.peers.spec.ts', 'sources'], recipe: 'nginx' };

describe('the record of what has passed', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'plat-passed-'));
    await promisify(execFile)('git', ['init', '--quiet', root]);
    await mkdir(join(root, 'sources'));
    await mkdir(join(root, 'tools', 'peers'), { recursive: true });
    await writeFile(join(root, SPEC.file), 'spec');
    await writeFile(join(root, 'sources', 'one.ts'), 'one');
  });
  afterEach(() => rm(root, { recursive: true }));

  async function passes(): Promise<void> {
    const content = (await contents(root, [SPEC])).get(SPEC.file)!;
    await record(root, [{ file: SPEC.file, content, tests: 3 }]);
  }

  it('leaves a file out whose paths are as they were when it passed, with the number of its tests', async () => {
    await passes();
    expect(await unchangedSpecs(root, [SPEC])).toEqual([{ file: SPEC.file, tests: 3 }]);
  });

  it.each([
    ['a source has changed', () => writeFile(join(root, 'sources', 'one.ts'), 'two')],
    ['a source was added, committed or not', () => writeFile(join(root, 'sources', 'two.ts'), '')],
    ['a source was removed', () => rm(join(root, 'sources', 'one.ts'))],
    ['the file itself has changed', () => writeFile(join(root, SPEC.file), 'other')],
    ['git cannot say which files there are', () => rm(join(root, '.git'), { recursive: true })],
  ])('does not if %s', async (_case, change) => {
    await passes();
    await change();
    expect(await unchangedSpecs(root, [SPEC])).toEqual([]);
  });

  it('does although another spec below its paths has changed', async () => {
    const others = ['one.spec.ts', 'one.spec.ts.snap'].map((name) => join(root, 'sources', name));
    for (const file of others) await writeFile(file, 'one');
    await passes();
    for (const file of others) await writeFile(file, 'two');
    expect(await unchangedSpecs(root, [SPEC])).toHaveLength(1);
  });

  it('does not if a peer is made in another way', async () => {
    await passes();
    expect(await unchangedSpecs(root, [{ ...SPEC, recipe: 'nginx 2' }])).toEqual([]);
  });

  it('leaves no file out that has not passed yet, or that is to run always', async () => {
    expect(await unchangedSpecs(root, [SPEC])).toEqual([]);
    await passes();
    expect(await unchangedSpecs(root, [{ ...SPEC, paths: [] }])).toEqual([]);
  });

  it('is stale if a path changed after the run, or if no run is recorded', async () => {
    expect(await staleSpecs(root, [SPEC])).toEqual([
      { file: SPEC.file, reason: 'no run of all its tests is recorded' },
    ]);
    await passes();
    expect(await staleSpecs(root, [SPEC])).toEqual([]);
    await writeFile(join(root, 'sources', 'one.ts'), 'two');
    expect(await staleSpecs(root, [SPEC])).toEqual([
      { file: SPEC.file, reason: 'what it rests on changed since it passed' },
    ]);
    await passes();
    expect(await staleSpecs(root, [SPEC])).toEqual([]);
  });

  it('is not stale for a spec that runs always', async () => {
    expect(await staleSpecs(root, [{ ...SPEC, paths: [] }])).toEqual([]);
  });

  it('forgets a file that is gone', async () => {
    await passes();
    const gone = { file: 'gone.peers.spec.ts', content: 'x', tests: 1 };
    await record(root, [gone]);
    await writeFile(join(root, gone.file), '');
    expect(await unchangedSpecs(root, [{ ...SPEC, file: gone.file, paths: [gone.file] }])).toEqual([]);
    expect(await unchangedSpecs(root, [SPEC])).toHaveLength(1);
  });
});

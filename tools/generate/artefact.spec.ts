import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Artefact, findDrift, write } from './artefact';

const roots: string[] = [];
afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))));

async function emptyRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'plat-artefact-'));
  roots.push(root);
  return root;
}

const artefact: Artefact = {
  name: 'client',
  folder: 'out',
  render: () => ({ 'out/a.txt': 'one\ntwo\n', 'out/b.txt': 'b\n' }),
};

describe('an artefact', () => {
  it('that was just written shows no drift, and is not written again', async () => {
    const root = await emptyRoot();
    expect(await write(root, artefact)).toEqual(['out/a.txt', 'out/b.txt']);
    expect(await findDrift(root, artefact)).toEqual([]);
    expect(await write(root, artefact)).toEqual([]);
    expect(await readFile(join(root, 'out/a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it('that was edited, is missing or has strays is reported file by file', async () => {
    const root = await emptyRoot();
    await mkdir(join(root, 'out'));
    await writeFile(join(root, 'out/a.txt'), 'one\nTWO\n');
    await writeFile(join(root, 'out/stray.txt'), '');
    expect(await findDrift(root, artefact)).toEqual([
      'out/a.txt differs at line 2: "TWO" should be "two"',
      'out/b.txt is missing',
      'out/stray.txt should not be there',
    ]);
  });

  it('has its strays removed when it is written', async () => {
    const root = await emptyRoot();
    await mkdir(join(root, 'out'));
    await writeFile(join(root, 'out/stray.txt'), '');
    expect(await write(root, artefact)).toContain('out/stray.txt');
    expect(await readdir(join(root, 'out'))).toEqual(['a.txt', 'b.txt']);
  });
});

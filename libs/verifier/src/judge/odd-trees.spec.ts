import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitRemote, LandingScene, twelveLines as text } from '@plat/testing';
import { judgeReconciled, verdictOf } from './ask-content';
import { askInProcess } from './ask-in-process';

let scene: LandingScene;
let remote: GitRemote;
beforeEach(async () => {
  scene = await LandingScene.create();
  remote = scene.remote;
});
afterEach(() => remote.remove());

const historyVerdict = () =>
  askInProcess({
    condition: 'history',
    address: remote.fileUrl,
    targetBranch: 'main',
    sourceBranch: 'topic',
  });

async function expectExact(): Promise<void> {
  expect(await historyVerdict()).toMatchObject({ verified: true });
  expect(await verdictOf(remote)).toEqual(['EXACT']);
  expect((await judgeReconciled(remote)).verdict).toBe('EXACT');
}

/** A source that moves a folder up to its parent's place. git's server leaves out the new folder, as a child of the old one. */
it.each([
  ['one level', 'packages/src', 'src'],
  ['two levels, to the name of another folder on the way', 'src/src/src', 'src'],
])('a landing that moves a folder %s up is read whole', async (_what, from, to) => {
  const files = ['f', 'g', 'deep/h'];
  const at = (folder: string, content: string | null) =>
    Object.fromEntries(files.map((file) => [`${folder}/${file}`, content && `${file} ${content}`]));
  await remote.commit(at(from, text()));
  await remote.switch('topic', 'main');
  await remote.git('mv', from, 'moved');
  if (to === from.split('/')[0]) await remote.git('rm', '--quiet', '-r', '--ignore-unmatch', to);
  await remote.git('mv', 'moved', to);
  await remote.commit();
  await remote.switch('main');
  await remote.commit({ other: 'o\n' });
  await scene.squash();
  await expectExact();
});

/** Writes a tree object byte by byte. @returns its id */
async function writeTree(...entries: [mode: string, name: string, id: string][]): Promise<string> {
  const parts = entries.flatMap(([mode, name, id]) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(id, 'hex'),
  ]);
  const path = join(remote.worktree, '.git', 'tree');
  await writeFile(path, Buffer.concat(parts));
  return remote.git('hash-object', '-t', 'tree', '-w', '--literally', path);
}

async function startFrom(tree: string): Promise<void> {
  const commit = await remote.git('commit-tree', tree, '-m', 'old');
  await remote.git('reset', '--quiet', '--hard', commit);
}

describe('modes as old tools wrote them are read as git reads them', () => {
  it('in files', async () => {
    const blob = await remote.git('rev-parse', 'HEAD:app.txt');
    await startFrom(await writeTree(['100664', 'f', blob], ['100640', 'g', blob]));
    await scene.topic({ g: text({ five: 'FIVE' }) });
    await remote.commit({ f: text({ nine: 'NINE' }) });
    await scene.squash();
    await expectExact();
  });

  it('in folders', async () => {
    const folder = await remote.git('rev-parse', 'HEAD:lib');
    await startFrom(await writeTree(['040000', 'lib', folder]));
    await scene.topic({ 'lib/util.txt': text({ five: 'FIVE' }) });
    await remote.commit({ 'lib/more': 'm\n' });
    await scene.squash();
    await expectExact();
  });
});

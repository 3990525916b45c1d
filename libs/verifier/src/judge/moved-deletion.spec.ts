import { type FileChanges, GitRemote, twelveLines as text } from '@plat/testing';
import { askInProcess } from './ask-in-process';

/** A source that deletes a file and does nothing else. */
describe('a deletion', () => {
  let remote: GitRemote;
  beforeEach(async () => {
    remote = await GitRemote.create();
    await remote.commit({ 'lib/insecure.js': text(), readme: 'readme\n' });
    await remote.switch('topic', 'main');
    await remote.commit({ 'lib/insecure.js': null });
    await remote.switch('main');
    await remote.commit({ other: 'other\n' });
  });
  afterEach(() => remote.remove());

  async function verdict(...commits: FileChanges[]) {
    for (const changes of commits) await remote.commit(changes);
    return askInProcess({
      condition: 'history',
      address: remote.fileUrl,
      targetBranch: 'main',
      sourceBranch: 'topic',
    });
  }
  const moved = { 'lib/insecure.js': null, 'lib/auth.js': text() };
  const refused = expect.objectContaining({ verified: false, judged: true, reason: 'not_landed' });
  const accepted = expect.objectContaining({ verified: true });

  it.each<[string, FileChanges[]]>([
    ['moved the file', [moved]],
    ['moved and changed the file', [{ ...moved, 'lib/auth.js': text({ nine: 'NINE' }) }]],
    ['moved the file, and went on', [moved, { other: 'more\n' }, { other: 'much more\n' }]],
  ])('has not landed in a target that %s', async (_what, commits) => {
    expect(await verdict(...commits)).toEqual(refused);
  });

  it.each<[string, FileChanges[]]>([
    ['deleted it', [{ 'lib/insecure.js': null }]],
    ['deleted it, and has another file since', [{ 'lib/insecure.js': null }, { 'lib/auth.js': 'new\n' }]],
    ['deleted it where it had moved it', [moved, { 'lib/auth.js': null }]],
    ['deleted it, and got it back', [{ 'lib/insecure.js': null }, { 'lib/insecure.js': text() }]],
  ])('has landed in a target that %s', async (_what, commits) => {
    expect(await verdict(...commits)).toEqual(accepted);
  });
});

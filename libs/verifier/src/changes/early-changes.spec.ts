import { GitRemote } from '@plat/testing';
import { type Diverged, findDivergence } from '../history/divergence';
import { readChangeSet } from '../objects/change-set';
import { ObjectStore } from '../objects/object-store';
import { openInProcess } from '../protocol/open-in-process';
import { readEarlyChanges } from './early-changes';

describe('the directories that are read while the commits of the target arrive', () => {
  let remote: GitRemote;
  beforeEach(async () => (remote = await GitRemote.create()));
  afterEach(() => remote.remove());

  it('are all that the change set of the source is read from', async () => {
    await remote.commit({ 'lib/deep/a.txt': '1', 'lib/b.txt': '1' });
    await remote.switch('topic', 'main');
    await remote.commit({ 'lib/deep/a.txt': '2' });
    await remote.switch('main');
    await remote.commit({ 'lib/b.txt': '2' });
    const names = ['topic', 'main', 'topic^{tree}', 'main^{tree}', 'main~^{tree}', 'main:lib/deep'];
    const ids = await Promise.all(names.map((name) => remote.git('rev-parse', name)));
    const [
      sourceTip = '',
      targetTip = '',
      sourceTreeId = '',
      candidateTreeId = '',
      baseTreeId = '',
      deep = '',
    ] = ids;
    const opened = await openInProcess(remote.fileUrl, ['refs/heads/main', 'refs/heads/topic']);
    try {
      const sides = { ...opened, sourceTip, targetTip };
      const { packs } = (await findDivergence({
        ...sides,
        readEarly: (ahead, parted) => readEarlyChanges(sides, ahead, parted),
      })) as Diverged;
      const fetched = jest.spyOn(opened.remote, 'fetch');
      const store = new ObjectStore(opened.remote, packs);
      const trees = { baseTreeId, sourceTreeId, besideTreeIds: [candidateTreeId] };
      const changes = await readChangeSet(store, trees, opened.budget.caps);
      expect(changes?.directories.get('lib')?.directories.get('deep')?.files.has('a.txt')).toBe(true);
      expect(store.has(deep)).toBe(true);
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      opened.end();
    }
  });
});

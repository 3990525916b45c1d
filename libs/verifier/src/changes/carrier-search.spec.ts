import { type FileChanges, GitRemote } from '@plat/testing';
import { type Diverged, findDivergence } from '../history/divergence';
import { readChangeSet } from '../objects/change-set';
import { ObjectStore } from '../objects/object-store';
import { openInProcess } from '../protocol/open-in-process';
import { CarrierSearch } from './carrier-search';

const lines = (...changed: string[]) => {
  const [first = 'one', last = 'nine'] = changed;
  return `${[first, 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', last].join('\n')}\n`;
};

describe('the commit that carries a change set', () => {
  let remote: GitRemote;
  beforeEach(async () => {
    remote = await GitRemote.create();
    await remote.commit({ 'app.txt': lines(), 'lib/util.txt': lines() });
  });
  afterEach(() => remote.remove());

  /** A branch `topic` from main with the changes, and main checked out. */
  async function topic(changes: FileChanges): Promise<void> {
    await remote.switch('topic', 'main');
    await remote.commit(changes);
    await remote.switch('main');
  }

  async function search(method: 'find' | 'findBringing'): Promise<string | undefined> {
    const [sourceTip, targetTip] = [
      await remote.git('rev-parse', 'topic'),
      await remote.git('rev-parse', 'main'),
    ];
    const opened = await openInProcess(remote.fileUrl, ['refs/heads/main', 'refs/heads/topic']);
    try {
      const { budget } = opened;
      const asked = { remote: opened.remote, budget, sourceTip, targetTip };
      const { bases, chain, graph, packs } = (await findDivergence(asked)) as Diverged;
      const store = new ObjectStore(opened.remote, packs);
      const [sourceTreeId, candidateTreeId] = [
        store.commit(sourceTip).treeId,
        store.commit(targetTip).treeId,
      ];
      await store.loadCommits(bases, [sourceTreeId, candidateTreeId]);
      const baseTreeId = store.commit(bases[0]!).treeId;
      const trees = { baseTreeId, sourceTreeId, besideTreeIds: [candidateTreeId] };
      const changes = await readChangeSet(store, trees, budget.caps);
      return await new CarrierSearch(store, changes!, budget)[method](chain, graph);
    } finally {
      opened.end();
    }
  }

  it('must have each path as the source has it', async () => {
    await topic({ 'app.txt': lines('ONE'), new: 'new\n' });
    await remote.commit({ 'lib/util.txt': lines('EINS') });
    const landed = await remote.commit({ 'app.txt': lines('ONE'), new: 'new\n' });
    expect(await search('find')).toBe(landed);
  });

  it('is not found if one of the paths is missing', async () => {
    await topic({ 'app.txt': lines('ONE'), new: 'new\n' });
    await remote.commit({ 'app.txt': lines('ONE') });
    expect(await search('find')).toBeUndefined();
  });

  it('may have changes of others in the same file', async () => {
    await topic({ 'app.txt': lines('ONE') });
    await remote.commit({ 'app.txt': lines('one', 'NEUN') });
    const landed = await remote.commit({ 'app.txt': lines('ONE', 'NEUN') });
    expect(await search('find')).toBe(landed);
  });

  it('is not found if the line was changed in another way', async () => {
    await topic({ 'app.txt': lines('ONE') });
    await remote.commit({ 'app.txt': lines('EINS') });
    expect(await search('find')).toBeUndefined();
  });

  it('must have a deletion and a mode bit of the source', async () => {
    await topic({ 'app.txt': { executable: lines() }, 'lib/util.txt': null });
    await remote.commit({ 'lib/util.txt': null });
    expect(await search('find')).toBeUndefined();
    const landed = await remote.commit({ 'app.txt': { executable: lines() } });
    expect(await search('find')).toBe(landed);
  });

  it('is the oldest since the change was last missing, if the search is for the commit that brought it', async () => {
    await topic({ 'app.txt': lines('ONE') });
    await remote.commit({ 'app.txt': lines('ONE') });
    await remote.commit({ 'app.txt': lines() });
    const again = await remote.commit({ 'app.txt': lines('ONE') });
    await remote.commit({ other: '1' });
    await remote.commit({ other: '2' });
    expect(await search('findBringing')).toBe(again);
  });
});

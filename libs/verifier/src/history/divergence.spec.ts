import { GitRemote } from '@plat/testing';
import { openInProcess } from '../protocol/open-in-process';
import { unreadable } from '../remote-failure';
import { type Asked, type Diverged, type Divergence, findDivergence, findInWholeHistory } from './divergence';

describe('the divergence of a source branch from its target', () => {
  let remote: GitRemote;
  beforeEach(async () => (remote = await GitRemote.create()));
  afterEach(() => remote.remove());

  /** Finds the divergence by the commits that only one side has and by the whole history. Both have to agree. */
  async function divergence(source = 'topic'): Promise<Divergence> {
    const [sourceTip, targetTip] = [
      await remote.git('rev-parse', source),
      await remote.git('rev-parse', 'main'),
    ];
    const opened = await openInProcess(remote.fileUrl, ['refs/heads/main', `refs/heads/${source}`]);
    const asked = { remote: opened.remote, budget: opened.budget, sourceTip, targetTip };
    try {
      const [found, inWhole] = [await findDivergence(asked), await findInWholeHistory(asked)];
      expect(factsOf(found)).toEqual(factsOf(inWhole));
      return found;
    } finally {
      opened.end();
    }
  }

  const factsOf = (found: Divergence) =>
    found.relation === 'diverged'
      ? { relation: found.relation, bases: found.bases.toSorted(), chain: found.chain }
      : found;

  it('is none if the target has the source’s tip', async () => {
    await remote.commit();
    await remote.git('branch', 'topic');
    await remote.commit({ a: '1' });
    expect(await divergence()).toEqual({ relation: 'landed' });
  });

  it('has no base if the branches share no history', async () => {
    await remote.commit();
    await remote.orphan('topic');
    await remote.commit({ a: '1' });
    expect(await divergence()).toEqual({ relation: 'unrelated' });
  });

  it('has the merge base, and the target’s commits since then, newest first', async () => {
    const base = await remote.commit();
    await remote.switch('topic', 'main');
    await remote.commit({ a: '1' });
    await remote.switch('main');
    const first = await remote.commit({ b: '1' });
    const second = await remote.commit({ b: '2' });
    expect(await divergence()).toMatchObject({ bases: [base], chain: [second, first] });
  });

  it('has the base of the last merge of the target into the source', async () => {
    await remote.commit();
    await remote.switch('topic', 'main');
    await remote.commit({ a: '1' });
    await remote.switch('main');
    const merged = await remote.commit({ b: '1' });
    await remote.switch('topic');
    await remote.merge('main');
    await remote.switch('main');
    const since = await remote.commit({ b: '2' });
    expect(await divergence()).toMatchObject({ bases: [merged], chain: [since] });
  });

  it('has every merge base of branches that merged each other, as git merge-base --all', async () => {
    await remote.commit();
    await remote.switch('topic', 'main');
    const ofTopic = await remote.commit({ a: '1' });
    await remote.switch('main');
    const ofMain = await remote.commit({ b: '1' });
    await remote.merge(ofTopic);
    await remote.switch('topic');
    await remote.merge(ofMain);
    const { bases } = (await divergence()) as Diverged;
    expect(bases.toSorted()).toEqual([ofTopic, ofMain].toSorted());
    expect(bases.toSorted()).toEqual(
      (await remote.git('merge-base', '--all', 'main', 'topic')).split('\n').toSorted(),
    );
  });

  it('follows the first parents of the target alone', async () => {
    await remote.commit();
    await remote.git('branch', 'topic');
    await remote.switch('topic');
    await remote.commit({ a: '1' });
    await remote.switch('side', 'main');
    const side = await remote.commit({ side: '1' });
    await remote.switch('main');
    await remote.commit({ b: '1' });
    const merge = await remote.merge('side');
    const { chain } = (await divergence()) as Diverged;
    expect(chain[0]).toBe(merge);
    expect(chain).not.toContain(side);
  });

  describe('what its asker reads early', () => {
    const early = async (readEarly: NonNullable<Asked['readEarly']>) => {
      const [sourceTip, targetTip] = [
        await remote.git('rev-parse', 'topic'),
        await remote.git('rev-parse', 'main'),
      ];
      const opened = await openInProcess(remote.fileUrl, ['refs/heads/main', 'refs/heads/topic']);
      try {
        return await findDivergence({ ...opened, sourceTip, targetTip, readEarly });
      } finally {
        opened.end();
      }
    };
    beforeEach(async () => {
      await remote.commit({ app: '1' });
      await remote.switch('topic', 'main');
      await remote.commit({ a: '1' });
      await remote.switch('main');
      await remote.commit({ b: '1' });
    });

    it('is part of its packs; the commits at which the source seems to have parted are given', async () => {
      const base = await remote.git('merge-base', 'topic', 'main');
      const given: string[] = [];
      const found = await early(async (ahead, parted) => {
        given.push(...parted);
        return [ahead];
      });
      expect(given).toEqual([base]);
      expect((found as Diverged).packs).toHaveLength(3);
    });

    it('may fail: the comparison requests what it lacks', async () => {
      const found = await early(() => Promise.reject(unreadable('gone')));
      expect(found).toMatchObject({ relation: 'diverged', packs: [{}, {}] });
    });
  });
});

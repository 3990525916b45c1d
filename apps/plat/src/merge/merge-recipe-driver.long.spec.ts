import { join } from 'node:path';
import { lines } from '../black-box/gate-checkout';
import { MergeHistories, pushTarget } from '../black-box/merge-histories';
import { gitIn } from '../git/git';
import { mergeByRecipe } from './merge-by-recipe';

describe('the merge of a gate', () => {
  const histories = new MergeHistories();
  afterAll(() => histories.remove());

  describe('of a file that both sides changed, for which a tree asks for a driver', () => {
    it("is one if only the source's tree has the attribute, or a folder's own file has it", async () => {
      const { checkout, gate } = await histories.setUp();
      await pushTarget(checkout, { 'docs/log.md': lines(1, 40), 'docs/code.ts': lines(1, 40) });
      const edits = { 'docs/log.md': lines(1, 40, { 2: 'two' }), 'docs/code.ts': lines(1, 40, { 2: 'two' }) };
      await checkout.branch('part', { ...edits, 'docs/.gitattributes': 'log.md merge=union\n' });
      await checkout.branch('plain', edits);
      await pushTarget(checkout, {
        'docs/log.md': lines(1, 40, { 30: 'thirty' }),
        'docs/code.ts': lines(1, 40, { 30: 'thirty' }),
      });
      const { merged, skipped } = await gate(['part', 'plain']);
      expect(skipped).toMatchObject([{ sourceBranch: 'part', files: ['docs/log.md'] }]);
      expect(merged).toMatchObject([{ sourceBranch: 'plain' }]);
    });
  });

  it('is a conflict of a submodule that both sides moved, although the checkout has its newer commit', async () => {
    const { checkout } = await histories.setUp();
    const library = (...args: string[]) => checkout.git('-C', 'library', ...args);
    await checkout.git('init', '--quiet', 'library');
    const release = async () => {
      await library('commit', '--quiet', '--allow-empty', '-m', 'Release');
      return library('rev-parse', 'HEAD');
    };
    const [first, second, third] = [await release(), await release(), await release()];
    const commit = async (parent: string, version: string) => {
      await checkout.git('update-index', '--add', '--cacheinfo', `160000,${version},library`);
      return checkout.git('commit-tree', '-p', parent, '-m', 'Move', await checkout.git('write-tree'));
    };
    const base = await commit('main', first);
    const [onto, source] = [await commit(base, second), await commit(base, third)];
    await expect(mergeByRecipe(gitIn(checkout.folder), { onto, source })).resolves.toMatchObject({
      outcome: 'conflict',
      files: ['library'],
    });
  });

  it('is made in a partial clone, whose missing files git fetches', async () => {
    const { machine, checkout } = await histories.setUp();
    await pushTarget(checkout, {
      'log.md': lines(1, 40),
      'docs/.gitattributes': '* -text\n',
      'docs/a': lines(1, 40),
    });
    await checkout.branch('part', {
      'log.md': lines(1, 40, { 2: 'two' }),
      'docs/a': lines(1, 40, { 2: 'two' }),
    });
    await pushTarget(checkout, {
      'log.md': lines(1, 40, { 30: 'thirty' }),
      'docs/a': lines(1, 40, { 30: 'thirty' }),
    });
    await checkout.git('-C', checkout.origin, 'config', 'uploadpack.allowFilter', 'true');
    const partial = join(machine.home, 'partial');
    const options = ['--quiet', '--bare', '--filter=blob:none'];
    await checkout.git('clone', ...options, `file://${checkout.origin}`, partial);
    const whole = await mergeByRecipe(gitIn(checkout.folder), { onto: 'main', source: 'part' });
    expect(whole).toMatchObject({ outcome: 'clean', joined: ['docs/a', 'log.md'] });
    // git takes no bare repository that it merely finds.
    const named = gitIn(partial, undefined, { GIT_DIR: partial });
    expect(await mergeByRecipe(named, { onto: 'main', source: 'part' })).toEqual(whole);
  });
});

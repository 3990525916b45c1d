import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GateCheckout, lines } from '../black-box/gate-checkout';
import {
  configured,
  MergeHistories,
  type MergeOutcome,
  pushTarget,
  type Setting,
} from '../black-box/merge-histories';
import { skipDetail } from '../gate/gate-merge-view';

const ATTRIBUTES = '* merge=union\n';

describe('the merge of a gate', () => {
  const histories = new MergeHistories();
  afterAll(() => histories.remove());

  let plain: MergeOutcome;
  beforeAll(async () => {
    plain = await histories.outcome(async () => undefined);
  }, 60_000);

  const inHome = (name: string) => async (checkout: GateCheckout) => {
    const folder = join(checkout.folder, '..', '.config', 'git');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), ATTRIBUTES);
  };

  it.each<[string, Setting]>([
    ['a rename limit of 1', configured(['merge.renameLimit', '1'], ['diff.renameLimit', '1'])],
    ['no renames', configured(['merge.renames', 'false'], ['diff.renames', 'false'])],
    ['copies', configured(['diff.renames', 'copies'])],
    ['a guess at renamed folders', configured(['merge.directoryRenames', 'true'])],
    [
      'renormalization of files that are text',
      async (checkout) => {
        await configured(['merge.renormalize', 'true'], ['core.autocrlf', 'input'])(checkout);
        await appendFile(join(checkout.folder, '.git', 'info', 'attributes'), 'numbers.txt text\n');
      },
    ],
    ['line endings that are converted', configured(['core.autocrlf', 'true'], ['core.eol', 'crlf'])],
    ['another diff', configured(['diff.algorithm', 'patience'], ['diff.ignoreSubmodules', 'all'])],
    ['another style of conflicts', configured(['merge.conflictStyle', 'zdiff3'], ['merge.verbosity', '5'])],
    ['a case that is ignored', configured(['core.ignoreCase', 'true'], ['core.quotePath', 'true'])],
    ['a driver for all files', configured(['merge.default', 'union'])],
    [
      'a driver of its own for all files',
      configured(['merge.default', 'mine'], ['merge.mine.driver', 'cp %B %A']),
    ],
    [
      'settings of one command',
      async () => ({
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'merge.default',
        GIT_CONFIG_VALUE_0: 'union',
        GIT_MERGE_VERBOSITY: '5',
      }),
    ],
    [
      "an attributes file that the person's settings name",
      async (checkout) => {
        await writeFile(join(checkout.folder, '..', 'attributes'), ATTRIBUTES);
        await checkout.git('config', 'core.attributesFile', join(checkout.folder, '..', 'attributes'));
      },
    ],
    ["the attributes file of the person's home", inHome('attributes')],
    [
      "the repository's own info/attributes",
      (checkout) => appendFile(join(checkout.folder, '.git', 'info', 'attributes'), ATTRIBUTES),
    ],
  ])('is the same with %s', async (_name, set) => {
    expect(await histories.outcome(set)).toEqual(plain);
  });

  describe('of a file that both sides changed, for which a tree asks for a driver', () => {
    it.each([
      ['merge=union', 'log.md has merge=union'],
      ['merge=mine', 'log.md has merge=mine'],
      ['-merge', 'log.md has -merge'],
      ['binary', 'log.md has -merge'],
    ])('is a conflict before the push for %s', async (attribute, named) => {
      const { checkout, gate } = await histories.setUp();
      await pushTarget(checkout, { 'log.md': lines(1, 40), '.gitattributes': `*.md ${attribute}\n` });
      await checkout.branch('part', { 'log.md': lines(1, 40, { 2: 'two' }) });
      await pushTarget(checkout, { 'log.md': lines(1, 40, { 30: 'thirty' }) });
      const { merged, skipped } = await gate(['part']);
      expect(merged).toEqual([]);
      expect(skipped).toMatchObject([{ reason: 'conflict', files: ['log.md'] }]);
      expect(skipDetail(skipped[0]!)).toMatch(
        new RegExp(`^conflicts in log\\.md: .*${named}.*Merge the target into the source branch`),
      );
      await checkout.git('switch', '--quiet', 'part');
      await checkout.git(
        '-c',
        'core.attributesFile=/dev/null',
        'merge',
        '--quiet',
        '--strategy=ours',
        'main',
      );
      await checkout.git('push', '--quiet', 'origin', 'part');
      await checkout.git('switch', '--quiet', 'main');
      const again = await gate(['part']);
      expect(again.merged).toHaveLength(1);
    });

    it.each(['merge', 'merge=text', '!merge'])(
      'is merged if the attribute is %s, which asks for the same merge',
      async (attribute) => {
        const { checkout, gate } = await histories.setUp();
        await pushTarget(checkout, { 'log.md': lines(1, 40), '.gitattributes': `*.md ${attribute}\n` });
        await checkout.branch('part', { 'log.md': lines(1, 40, { 2: 'two' }) });
        await pushTarget(checkout, { 'log.md': lines(1, 40, { 30: 'thirty' }) });
        expect((await gate(['part'])).merged).toHaveLength(1);
      },
    );
  });
});

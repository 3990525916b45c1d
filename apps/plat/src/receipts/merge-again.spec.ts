import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeReceipt } from '@plat/api-client';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { type Git, gitIn } from '../gate/git';
import { mergeAgain } from './merge-again';
import type { MergedAgain } from './merged-again';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

describe('a landing is merged again by the recipe', () => {
  let home: string;
  let checkout: GateCheckout;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-merge-again-'));
    checkout = await GateCheckout.create({ home } as Machine);
  });
  afterEach(() => rm(home, { recursive: true }));

  /** git's verdict on the commit that is checked out as the landing of `part`. */
  async function judge(facts: Partial<MergeReceipt> = {}, git?: Git): Promise<MergedAgain> {
    const commitId = await checkout.git('rev-parse', 'HEAD');
    const sourceTip = await checkout.git('rev-parse', 'part');
    const receipt = { commitId, sourceTip, ...facts } as MergeReceipt;
    return mergeAgain(git ?? gitIn(checkout.folder), receipt, sourceTip);
  }

  const verdictOf = async (facts?: Partial<MergeReceipt>) => (await judge(facts)).verdict;

  /** Both sides edit a file. The branch that is checked out is the target. */
  async function bothSidesChange(sides: { ours: string; theirs: string }): Promise<void> {
    await checkout.commit({ 'log.md': lines(1, 40), '.gitattributes': '*.md merge=union\n' }, 'Begin');
    await checkout.branch('part', { 'log.md': sides.theirs, 'part.txt': 'part\n' });
    await checkout.commit({ 'log.md': sides.ours }, 'Target');
  }

  const land = (log: string, more: Record<string, string> = {}) =>
    checkout.commit({ 'log.md': log, 'part.txt': 'part\n', ...more }, 'Landed');

  it('and the merge of a file with a driver is EXACT, whatever the settings of a person', async () => {
    await bothSidesChange({ theirs: lines(1, 40, { 2: 'two' }), ours: lines(1, 40, { 30: 'thirty' }) });
    await land(lines(1, 40, { 2: 'two', 30: 'thirty' }));
    const settings = ['[merge]', '\tdefault = union', '\trenameLimit = 1', '\tdirectoryRenames = true', ''];
    await writeFile(join(home, 'hostile'), settings.join('\n'));
    await appendFile(join(checkout.folder, '.git', 'info', 'attributes'), '* merge=union\n');
    const git = gitIn(checkout.folder, undefined, { GIT_CONFIG_GLOBAL: join(home, 'hostile') });
    expect((await judge({}, git)).verdict).toBe('EXACT');
  });

  describe('of which the merge is clean, and it is DIVERGENT', () => {
    beforeEach(() =>
      bothSidesChange({ theirs: lines(1, 40, { 2: 'two' }), ours: lines(1, 40, { 30: 'thirty' }) }),
    );
    const whole = lines(1, 40, { 2: 'two', 30: 'thirty' });

    it.each<[string, string, Record<string, string>, string]>([
      ['with a foreign line', lines(1, 40, { 2: 'two', 20: 'evil', 30: 'thirty' }), {}, 'log.md'],
      ['with a foreign file', whole, { 'door.txt': 'open\n' }, 'door.txt'],
      ["without a part of the source's change", lines(1, 40, { 30: 'thirty' }), {}, 'log.md'],
      ["without the target's work", lines(1, 40, { 2: 'two' }), {}, 'log.md'],
      ['in another layout', whole.replaceAll('\n', '\r\n'), {}, 'log.md'],
    ])('%s', async (_what, log, more, path) => {
      await land(log, more);
      expect(await judge()).toEqual({
        verdict: 'DIVERGENT',
        detail: `the landed tree differs from the merge in ${path}`,
      });
    });

    it('with another mode', async () => {
      await chmod(join(checkout.folder, 'README.md'), 0o755);
      await land(whole);
      expect((await judge()).detail).toContain('README.md');
      expect(await verdictOf()).toBe('DIVERGENT');
    });
  });

  describe('of which the merge has a conflict', () => {
    beforeEach(() =>
      bothSidesChange({ theirs: lines(1, 40, { 20: 'zwanzig' }), ours: lines(1, 40, { 20: 'twenty' }) }),
    );

    it.each([
      ['both sides', lines(1, 40, { 20: 'twenty\nzwanzig' }), 'log.md:20-21'],
      ['lines of a person', lines(1, 40, { 20: 'vingt' }), 'log.md:20'],
      ["the source's side alone", lines(1, 40, { 20: 'zwanzig' }), 'log.md:20'],
    ])('and it is BY_HAND with %s in its place, which is named', async (_what, log, place) => {
      await land(log);
      expect(await judge()).toEqual({
        verdict: 'BY_HAND',
        detail: `a person decided conflicts, in ${place}`,
      });
    });

    it.each<[string, string, Record<string, string>]>([
      ['a foreign line outside of the place', lines(1, 40, { 2: 'evil', 20: 'vingt' }), {}],
      ['a foreign file', lines(1, 40, { 20: 'vingt' }), { 'door.txt': 'open\n' }],
      ['a file of the source missing', lines(1, 40, { 20: 'vingt' }), { 'part.txt': 'other\n' }],
      ["the target's side alone in the place", lines(1, 40, { 20: 'twenty' }), {}],
      ['nothing in the place', lines(1, 19) + lines(21, 40), {}],
    ])('and it is DIVERGENT with %s', async (_what, log, more) => {
      await land(log, more);
      expect(await verdictOf()).toBe('DIVERGENT');
    });

    it("and it is DIVERGENT with git's markers left", async () => {
      const [onto, source] = [
        await checkout.git('rev-parse', 'HEAD'),
        await checkout.git('rev-parse', 'part'),
      ];
      for (const names of [
        ['HEAD', 'part'],
        [onto, source],
      ]) {
        const left = `<<<<<<< ${names[0]}\ntwenty\n=======\nzwanzig\n>>>>>>> ${names[1]}`;
        await checkout.git('reset', '--quiet', '--hard', onto);
        await land(lines(1, 40, { 20: left }));
        expect(await verdictOf()).toBe('DIVERGENT');
      }
    });

    it('and it is DIVERGENT with another mode of the file', async () => {
      await chmod(join(checkout.folder, 'log.md'), 0o755);
      await land(lines(1, 40, { 20: 'vingt' }));
      expect(await verdictOf()).toBe('DIVERGENT');
    });
  });

  it('of which the merge has a conflict of a deletion: the side of the target alone is no decision', async () => {
    await checkout.commit({ 'log.md': lines(1, 40) }, 'Begin');
    await checkout.git('switch', '--quiet', '--create', 'part');
    await checkout.git('rm', '--quiet', 'log.md');
    await checkout.commit({ 'part.txt': 'part\n' }, 'Delete');
    await checkout.git('switch', '--quiet', 'main');
    const target = await checkout.commit({ 'log.md': lines(1, 40, { 20: 'twenty' }) }, 'Target');
    await checkout.commit({ 'part.txt': 'part\n' }, 'Landed');
    expect(await judge()).toEqual({
      verdict: 'DIVERGENT',
      detail: "the conflict of log.md has the target's side alone",
    });
    await checkout.git('reset', '--quiet', '--hard', target);
    await checkout.git('rm', '--quiet', 'log.md');
    await checkout.commit({ 'part.txt': 'part\n' }, 'Landed');
    expect(await judge()).toEqual({ verdict: 'BY_HAND', detail: 'a person decided conflicts, in log.md' });
  });

  it('of which the merge has a conflict of renames, whose places git does not show', async () => {
    await checkout.commit({ 'log.md': lines(1, 40) }, 'Begin');
    await checkout.git('switch', '--quiet', '--create', 'part');
    await checkout.git('mv', 'log.md', 'source.md');
    await checkout.git('commit', '--quiet', '-m', 'Rename');
    await checkout.git('switch', '--quiet', 'main');
    await checkout.git('mv', 'log.md', 'target.md');
    await checkout.git('commit', '--quiet', '-m', 'Rename');
    await checkout.git('mv', 'target.md', 'source.md');
    await checkout.git('commit', '--quiet', '-m', 'Landed');
    expect(await verdictOf()).toBe('UNDECIDED');
    await checkout.commit({ 'door.txt': 'open\n' }, 'More');
    await checkout.git('reset', '--quiet', '--soft', 'HEAD~2');
    await checkout.git('commit', '--quiet', '-m', 'Landed');
    expect(await verdictOf()).toBe('DIVERGENT');
  });

  describe('that came commit by commit', () => {
    const rebased = { contentReason: 'rebased' } as const;

    /** A source of two commits, the second of which takes back a line of the first. */
    beforeEach(async () => {
      await checkout.branch('part', { 'numbers.txt': lines(1, 40, { 2: 'two', 9: 'nine' }) });
      await checkout.git('switch', '--quiet', 'part');
      await checkout.commit({ 'numbers.txt': lines(1, 40, { 9: 'NINE' }), 'part.txt': 'part\n' }, 'Second');
      await checkout.git('switch', '--quiet', 'main');
      await checkout.commit({ 'other.txt': 'other\n' }, 'Other');
    });
    const pick = (commit: string) => checkout.git('cherry-pick', commit);

    it('is SAME_CHANGE, also with commits of others between', async () => {
      await pick('part~1');
      await pick('part');
      expect(await judge(rebased)).toEqual({
        verdict: 'SAME_CHANGE',
        detail: 'its commits landed one by one, in 2 steps',
      });
      await checkout.git('reset', '--quiet', '--hard', 'HEAD~1');
      await checkout.commit({ 'between.txt': 'between\n' }, 'Between');
      await pick('part');
      expect(await verdictOf(rebased)).toBe('SAME_CHANGE');
    });

    it('is SAME_CHANGE without a commit whose change was there before the merge before', async () => {
      await checkout.git('cherry-pick', '--no-commit', 'part~1');
      const anchorCommitId = await checkout.commit({ 'theirs.txt': 'theirs\n' }, 'The same, and more');
      await pick('part');
      expect(await verdictOf({ ...rebased, anchorCommitId })).toBe('SAME_CHANGE');
    });

    it.each<[string, () => Promise<unknown>]>([
      [
        'the earlier one has a foreign file',
        async () => {
          await checkout.git('cherry-pick', '--no-commit', 'part~1');
          await checkout.commit({ 'door.txt': 'open\n' }, 'First');
          await pick('part');
        },
      ],
      ['the earlier one is missing', () => checkout.git('cherry-pick', '--strategy-option=theirs', 'part')],
      [
        'the last one has a foreign line',
        async () => {
          await pick('part~1');
          await checkout.git('cherry-pick', '--no-commit', 'part');
          await checkout.commit({ 'part.txt': 'part\nevil\n' }, 'Second');
        },
      ],
      [
        'a commit between takes back a part',
        async () => {
          await checkout.git('switch', '--quiet', 'part');
          await checkout.commit({ 'third.txt': 'third\n' }, 'Third');
          await checkout.git('switch', '--quiet', 'main');
          await checkout.git('cherry-pick', 'part~2', 'part~1');
          await checkout.git('rm', '--quiet', 'part.txt');
          await checkout.git('commit', '--quiet', '-m', 'Take back');
          await pick('part');
        },
      ],
    ])('is never SAME_CHANGE if %s', async (_what, landing) => {
      await landing();
      expect(await verdictOf(rebased)).not.toMatch(/SAME_CHANGE|EXACT/);
    });
  });

  describe('that came in another commit than the reported one', () => {
    let landedCommitId: string;
    beforeEach(async () => {
      await checkout.branch('part', { 'numbers.txt': lines(1, 40, { 2: 'two', 30: 'thirty' }) });
      await checkout.git('merge', '--quiet', '--squash', 'part');
      landedCommitId = await checkout.commit({}, 'Landed');
    });

    it('is SAME_CHANGE if its change still stands there', async () => {
      await checkout.commit({ 'later.txt': 'later\n' }, 'Later');
      expect(await verdictOf({ landedCommitId })).toBe('SAME_CHANGE');
    });

    it.each([
      ['drops a hunk', lines(1, 40, { 2: 'two' })],
      ['alters a line', lines(1, 40, { 2: 'two', 30: 'evil' })],
    ])('is DIVERGENT if the reported commit %s', async (_what, numbers) => {
      await checkout.commit({ 'numbers.txt': numbers }, 'Later');
      expect(await verdictOf({ landedCommitId })).toBe('DIVERGENT');
    });

    it('is not computed if it changes nothing', async () => {
      await checkout.git('commit', '--quiet', '--allow-empty', '-m', 'Empty');
      expect(await verdictOf()).toBe('NOT_COMPUTED');
    });
  });
});

import { appendFile, chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GateCheckout, lines } from '../black-box/gate-checkout';
import { LandedReview } from '../black-box/landed-review';
import { gitIn } from '../git/git';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

describe('a landing is merged again by the recipe', () => {
  let review: LandedReview;
  let checkout: GateCheckout;

  beforeEach(async () => {
    review = await LandedReview.make();
    ({ checkout } = review);
  });
  afterEach(() => review.remove());

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
    await writeFile(join(checkout.folder, '.git', 'hostile'), settings.join('\n'));
    await appendFile(join(checkout.folder, '.git', 'info', 'attributes'), '* merge=union\n');
    const git = gitIn(checkout.folder, undefined, {
      GIT_CONFIG_GLOBAL: join(checkout.folder, '.git', 'hostile'),
    });
    expect((await review.judge({}, git)).verdict).toBe('EXACT');
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
      expect(await review.judge()).toEqual({
        verdict: 'DIVERGENT',
        detail: `the landed tree differs from the merge in ${path}`,
      });
    });

    it('with another mode', async () => {
      await chmod(join(checkout.folder, 'README.md'), 0o755);
      await land(whole);
      expect((await review.judge()).detail).toContain('README.md');
      expect(await review.verdict()).toBe('DIVERGENT');
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
      expect(await review.judge()).toEqual({
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
      expect(await review.verdict()).toBe('DIVERGENT');
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
        expect(await review.verdict()).toBe('DIVERGENT');
      }
    });

    it('and it is DIVERGENT with another mode of the file', async () => {
      await chmod(join(checkout.folder, 'log.md'), 0o755);
      await land(lines(1, 40, { 20: 'vingt' }));
      expect(await review.verdict()).toBe('DIVERGENT');
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
    expect(await review.judge()).toEqual({
      verdict: 'DIVERGENT',
      detail: "the conflict of log.md has the target's side alone",
    });
    await checkout.git('reset', '--quiet', '--hard', target);
    await checkout.git('rm', '--quiet', 'log.md');
    await checkout.commit({ 'part.txt': 'part\n' }, 'Landed');
    expect(await review.judge()).toEqual({
      verdict: 'BY_HAND',
      detail: 'a person decided conflicts, in log.md',
    });
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
    expect(await review.verdict()).toBe('UNDECIDED');
    await checkout.commit({ 'door.txt': 'open\n' }, 'More');
    await checkout.git('reset', '--quiet', '--soft', 'HEAD~2');
    await checkout.git('commit', '--quiet', '-m', 'Landed');
    expect(await review.verdict()).toBe('DIVERGENT');
  });

  describe('of which the merge has a conflict in a renamed file', () => {
    beforeEach(async () => {
      await checkout.git('switch', '--quiet', '--create', 'part');
      await checkout.git('mv', 'numbers.txt', 'renamed.txt');
      await checkout.commit({ 'renamed.txt': lines(1, 40, { 20: 'zwanzig' }) }, 'Rename');
      await checkout.git('switch', '--quiet', 'main');
      await checkout.commit({ 'numbers.txt': lines(1, 40, { 20: 'twenty' }) }, 'Target');
      await checkout.git('mv', 'numbers.txt', 'renamed.txt');
    });

    it('and its place is at the new path', async () => {
      await checkout.commit({ 'renamed.txt': lines(1, 40, { 20: 'vingt' }) }, 'Landed');
      expect((await review.judge()).detail).toBe('a person decided conflicts, in renamed.txt:20');
    });

    it.each([
      ['a foreign line outside of the place', lines(1, 40, { 20: 'vingt', 35: 'evil' })],
      ["the target's side alone in the place", lines(1, 40, { 20: 'twenty' })],
    ])('and it is DIVERGENT with %s', async (_what, numbers) => {
      await checkout.commit({ 'renamed.txt': numbers }, 'Landed');
      expect(await review.verdict()).toBe('DIVERGENT');
    });
  });

  it('from each of several merge bases', async () => {
    const [file, other] = ['numbers.txt', 'README.md'];
    await checkout.branch('part', { [file]: lines(1, 40, { 2: 'two' }) });
    const first = await review.commit({ [other]: 'more\n' });
    const side = await review.hash('part');
    await review.git('merge', '--quiet', '--no-edit', side);
    await review.git('switch', '--quiet', 'part');
    await review.git('merge', '--quiet', '--no-edit', first);
    await review.git('switch', '--quiet', 'main');
    await review.commitToSource({ [file]: lines(1, 40, { 2: 'two', 30: 'thirty' }) });
    const target = await review.hash('main');
    await review.squash('part');
    expect(await review.verdict()).toBe('EXACT');
    await review.git('reset', '--quiet', '--hard', target);
    await review.commit({ [file]: lines(1, 40, { 2: 'two', 30: 'evil' }) });
    expect(await review.judge()).toEqual({
      verdict: 'UNDECIDED',
      detail: 'the branches have several merge bases',
    });
  });
});

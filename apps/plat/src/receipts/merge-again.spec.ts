import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeReceipt } from '@plat/api-client';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../gate/git';
import { mergeAgain } from './merge-again';

describe('a landing is merged again by the recipe', () => {
  let home: string;
  let checkout: GateCheckout;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-merge-again-'));
    checkout = await GateCheckout.create({ home } as Machine);
  });
  afterEach(() => rm(home, { recursive: true }));

  /** The verdict on a landing with this content of the file, whose person has hostile settings. */
  async function verdictOf(landed: string): Promise<string> {
    const commitId = await checkout.commit({ 'log.md': landed }, 'Landed');
    const sourceTip = await checkout.git('rev-parse', 'part');
    const settings = ['[merge]', '\tdefault = union', '\trenameLimit = 1', '\tdirectoryRenames = true', ''];
    await writeFile(join(home, 'hostile'), settings.join('\n'));
    await appendFile(join(checkout.folder, '.git', 'info', 'attributes'), '* merge=union\n');
    const git = gitIn(checkout.folder, undefined, { GIT_CONFIG_GLOBAL: join(home, 'hostile') });
    return (await mergeAgain(git, { commitId, sourceTip } as MergeReceipt, sourceTip)).verdict;
  }

  async function bothSidesChange(sides: { ours: string; theirs: string }): Promise<void> {
    await checkout.commit({ 'log.md': lines(1, 40), '.gitattributes': '*.md merge=union\n' }, 'Begin');
    await checkout.branch('part', { 'log.md': sides.theirs });
    await checkout.commit({ 'log.md': sides.ours }, 'Target');
  }

  it('and the merge of a file with a driver is EXACT, as for the service', async () => {
    await bothSidesChange({ theirs: lines(1, 40, { 2: 'two' }), ours: lines(1, 40, { 30: 'thirty' }) });
    expect(await verdictOf(lines(1, 40, { 2: 'two', 30: 'thirty' }))).toBe('EXACT');
  });

  it('and a conflict that the driver `union` decided is left to a person', async () => {
    await bothSidesChange({ theirs: lines(1, 40, { 2: 'zwei' }), ours: lines(1, 40, { 2: 'two' }) });
    expect(await verdictOf(lines(1, 40, { 2: 'two\nzwei' }))).toBe('UNDECIDED');
  });
});

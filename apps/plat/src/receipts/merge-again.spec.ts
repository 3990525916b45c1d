import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeReceipt } from '@plat/api-client';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { type Git, gitIn } from '../gate/git';
import { mergeAgain } from './merge-again';

describe('a merge that git cannot make again', () => {
  let home: string;
  let bare: Git;
  let receipt: MergeReceipt;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-again-'));
    const checkout = await GateCheckout.create({ home } as Machine);
    const sourceTip = await checkout.branch('topic', { 'numbers.txt': lines(1, 40, { 40: 'mine' }) });
    await checkout.commit({ 'numbers.txt': lines(1, 40, { 1: 'theirs' }) }, 'Theirs');
    await checkout.git('merge', '--quiet', '--squash', 'topic');
    await checkout.git('commit', '--quiet', '-m', 'Topic');
    await checkout.git('push', '--quiet', 'origin', 'main');
    receipt = { commitId: await checkout.git('rev-parse', 'HEAD'), sourceTip } as MergeReceipt;
    bare = gitIn(checkout.origin);
  });
  afterEach(() => rm(home, { recursive: true }));

  const judged = () => mergeAgain(bare, receipt, undefined);

  it('is made by default', async () => {
    expect(await judged()).toMatchObject({ verdict: 'EXACT' });
  });

  it('is not computed with merge.renormalize, and that setting is named, not the version of git', async () => {
    // git 2.39 fails then in a bare repository. Later ones may merge.
    await bare.run(['config', 'merge.renormalize', 'true']);
    const refusing: Git = { ...bare, try: (args, input) => failing(bare, args, input) };
    const { verdict, detail } = await mergeAgain(refusing, receipt, undefined);
    expect(verdict).toBe('NOT_COMPUTED');
    expect(detail).toContain('merge.renormalize');
    expect(detail).not.toContain('2.38');
  });

  it('names the version of a git that does not know the command, and otherwise what git says', async () => {
    const saying = (stderr: string): Git => ({
      ...bare,
      try: (args, input) => failing(bare, args, input, stderr),
    });
    const old = await mergeAgain(saying('usage: git merge-tree <base> <one> <other>\n'), receipt, undefined);
    expect(old.detail).toContain('2.38');
    const other = await mergeAgain(saying('fatal: out of memory\n'), receipt, undefined);
    expect(other.detail).toBe('git cannot merge them: fatal: out of memory');
  });
});

/** git whose merge-tree fails, as that of some versions does. */
function failing(git: Git, args: readonly string[], input?: string | Buffer, stderr = 'BUG: attr.c\n') {
  if (args[0] !== 'merge-tree') return git.try(args, input);
  return Promise.resolve({ code: 128, stdout: '', stderr });
}

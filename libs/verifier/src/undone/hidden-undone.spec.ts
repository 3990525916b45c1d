import { type FileChange, type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { undoneBy, wordsOf } from '../judge/ask-undone';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

const lines = (...of: string[]) => of.map((line) => `${line}\n`).join('');
const FIX = lines('check the sender', 'check the amount', 'check the receiver');
const fixed = (changes: Record<string, string> = {}) =>
  text({ ...changes, three: `${changes['three'] ?? 'three'}\n${FIX.trimEnd()}` });

const git = (...args: string[]) => scene.remote.git(...args);
const mergeMain = (...args: string[]) => git('merge', '--quiet', '--no-edit', ...args, 'main');

/** A topic that begins with a file of its own, a fix that lands, then the topic again. */
async function landFix(fix: FileChanges = { 'app.txt': fixed() }): Promise<void> {
  await scene.topic({ other: 'mine\n' });
  await scene.remote.commit(fix, 'fix');
  await scene.remote.switch('topic');
}

/** The findings on the squash of the topic. */
async function findings(): Promise<string[]> {
  await scene.remote.switch('main');
  return wordsOf(scene.remote, await undoneBy(scene.remote, await scene.remote.squash('topic')));
}

/** The findings if a file is changed, then the topic merges the target and brings back the file before. */
async function restoring(
  path: string,
  { before, after, back = before }: { before: FileChange; after: FileChange; back?: FileChange },
): Promise<string[]> {
  await scene.remote.commit({ [path]: before });
  await landFix({ [path]: after });
  await mergeMain();
  await scene.remote.commit({ [path]: back }, 'snapshot');
  return findings();
}

describe('an author cannot hide it by the shape of the history', () => {
  it('the target as the first parent of the own merge', async () => {
    await landFix();
    await scene.remote.switch('turned', 'main');
    await git('merge', '--quiet', '--no-commit', '--no-ff', 'topic');
    await git('checkout', '--quiet', 'topic', '--', 'app.txt');
    await git('commit', '--quiet', '-m', 'turned');
    await git('branch', '--quiet', '--force', 'topic', 'turned');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a merge of another branch that merged the target with its own side', async () => {
    await landFix();
    await scene.remote.switch('helper', 'topic');
    await mergeMain('-s', 'ours');
    await scene.remote.commit({ helper: 'h\n' });
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await scene.remote.merge('helper');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('its own side against another branch that merged the target soundly', async () => {
    await landFix();
    await scene.remote.switch('helper', 'topic');
    await mergeMain();
    await scene.remote.commit({ helper: 'h\n' });
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await git('merge', '--quiet', '--no-edit', '-s', 'ours', 'helper');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('an octopus merge', async () => {
    await landFix();
    await scene.remote.switch('helper', 'topic');
    await scene.remote.commit({ helper: 'h\n' });
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await git('merge', '--quiet', '--no-edit', '-s', 'ours', 'helper', 'main');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('merges in both directions, which have several merge bases', async () => {
    await scene.topic({ other: 'mine\n' });
    await scene.remote.commit({ first: '1\n' }, 'first');
    const [main, topic] = [await git('rev-parse', 'main'), await git('rev-parse', 'topic')];
    await scene.remote.merge(topic);
    await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    await scene.remote.switch('topic');
    await scene.remote.merge(main);
    await scene.remote.commit({ more: 'more\n' });
    await mergeMain('-s', 'ours');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a merge that loses lines that both its parents have', async () => {
    await landFix();
    await mergeMain();
    await scene.remote.switch('helper', 'topic');
    await scene.remote.commit({ helper: 'h\n' });
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await git('merge', '--quiet', '--no-commit', '--no-ff', 'helper');
    await scene.remote.commit({ 'app.txt': text() }, 'evil');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a commit of another branch that it merged later', async () => {
    await landFix();
    await mergeMain();
    await scene.remote.switch('helper', 'topic');
    const snapshot = await scene.remote.commit({ 'app.txt': text() }, 'snapshot');
    await scene.remote.switch('topic');
    await scene.remote.commit({ more: 'more\n' });
    await scene.remote.merge('helper');
    await scene.remote.switch('main');
    const { findings: found } = await undoneBy(scene.remote, await scene.remote.squash('topic'));
    expect(found).toMatchObject([{ kind: 'restored', certainty: 'sure', sourceCommitId: snapshot }]);
  });

  it('a file that the source moved before it merged', async () => {
    await scene.topic({ other: 'mine\n' });
    await scene.remote.switch('topic');
    await git('mv', 'app.txt', 'moved.txt');
    await scene.remote.commit({ more: 'more\n' });
    await scene.remote.switch('main');
    await scene.remote.commit({ 'app.txt': fixed() }, 'fix');
    await scene.remote.switch('topic');
    await mergeMain('-s', 'ours');
    await scene.remote.switch('main');
    const landed = await scene.landTree(
      await git('commit-tree', 'topic^{tree}', '-p', 'main', '-m', 'squash'),
    );
    const words = await wordsOf(scene.remote, await undoneBy(scene.remote, landed));
    expect(words).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a landing that moved the file after the fix', async () => {
    await landFix();
    await scene.remote.switch('main');
    await git('mv', 'app.txt', 'moved.txt');
    await git('commit', '--quiet', '-m', 'move');
    await scene.remote.switch('topic');
    await mergeMain();
    await scene.remote.commit({ 'moved.txt': text() }, 'snapshot');
    expect(await findings()).toEqual(['sure restored fix moved.txt:4-6 target']);
  });
});

describe('an author cannot hide it by dates', () => {
  async function land(date: number, changes: FileChanges, subject: string): Promise<void> {
    await scene.remote.commit(changes, subject);
    const amend = `!env 'GIT_COMMITTER_DATE=${date} +0000' git commit --quiet --amend --no-edit --allow-empty`;
    await git('-c', `alias.dated=${amend}`, 'dated');
  }

  it.each([
    ['of long ago', 1_000_000_000],
    ['of the future', 4_000_000_000],
  ])('a landing %s above the fix', async (_, date) => {
    const now = Math.floor(Date.now() / 1000);
    await land(now - 60, { 'app.txt': fixed() }, 'fix');
    await land(date, { more: 'more\n' }, 'dated');
    await land(now - 30, { last: 'last\n' }, 'last');
    await land(date, { most: 'most\n' }, 'dated');
    await scene.topic({ 'app.txt': text() });
    const undone = await undoneBy(scene.remote, await scene.remote.squash('topic'), 1);
    expect(await wordsOf(scene.remote, undone)).toEqual(['likely restored fix app.txt:4-6 target']);
  });
});

describe('an author cannot hide it by the form of the file', () => {
  it('a byte that makes the file binary', async () => {
    await landFix();
    await mergeMain();
    await scene.remote.commit({ 'app.txt': `${text()}\0\n` }, 'snapshot');
    expect(await findings()).toEqual(['possible deleted fix app.txt:4-6 target']);
  });

  it('so many lines that the file is not compared', async () => {
    await landFix();
    await mergeMain('-s', 'ours');
    await scene.remote.commit({ 'app.txt': text() + '\n'.repeat(100_001) }, 'padded');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a link in the place of the file', async () => {
    await landFix();
    await mergeMain();
    await scene.remote.commit({ 'app.txt': { symlink: 'old.txt' }, 'old.txt': text() }, 'linked');
    expect(await findings()).toEqual(['possible deleted fix app.txt:4-6 target']);
  });

  it('other line ends', async () => {
    const found = await restoring('code.txt', {
      before: text(),
      after: text({ five: 'FIVE of it', six: 'SIX of it', seven: 'SEVEN of it' }),
      back: text().replaceAll('\n', '\r\n'),
    });
    expect(found).toEqual(['sure restored fix code.txt:5-7 target']);
  });

  it('another indentation of the lines that it brings back', async () => {
    const removed = lines('if admin', 'let them in', 'log nothing');
    const found = await restoring('code.txt', {
      before: text({ three: `three\n${removed.trimEnd()}` }),
      after: text(),
      back: text({ three: `three\n  ${removed.trimEnd().replaceAll('\n', '\n  ')}` }),
    });
    expect(found).toEqual(['sure restored fix code.txt:4-6 landed']);
  });

  it('a line that stays where others come back', async () => {
    const found = await restoring('code.txt', {
      before: text({ three: 'three\nif admin\nlet them in\nlog nothing' }),
      after: text({ three: 'three\nask the owner' }),
      back: text({ three: 'three\nif admin\nlet them in\nlog nothing\nask the owner' }),
    });
    expect(found).toEqual(['sure restored fix code.txt:4-6 landed']);
  });

  it('one other line among those that it brings back, which is less sure', async () => {
    const removed = ['if admin', 'let them in', 'log nothing', 'say yes'];
    const found = await restoring('code.txt', {
      before: text({ three: ['three', ...removed].join('\n') }),
      after: text(),
      back: text({ three: ['three', ...removed.with(1, 'let all in')].join('\n') }),
    });
    expect(found).toEqual(['likely restored fix code.txt:4-7 landed']);
  });

  it('the new lines in a file that nothing reads, if the old ones are back in their place', async () => {
    await scene.remote.commit({ 'code.txt': text() });
    const made = lines('FIVE of it', 'SIX of it', 'SEVEN of it');
    await landFix({ 'code.txt': text({ five: 'FIVE of it', six: 'SIX of it', seven: 'SEVEN of it' }) });
    await mergeMain();
    await scene.remote.commit({ 'code.txt': text(), 'attic.txt': made }, 'snapshot');
    expect(await findings()).toEqual(['sure restored fix code.txt:5-7 target']);
  });

  it('lines without a Latin letter', async () => {
    const found = await restoring('guide.txt', {
      before: text({ five: '送信者を信じる', six: '金額を信じる', seven: '受取人を信じる' }),
      after: text({ five: '送信者を調べる', six: '金額を調べる', seven: '受取人を調べる' }),
    });
    expect(found).toEqual(['sure restored fix guide.txt:5-7 target']);
  });

  it('a line of few signs, and brackets alone', async () => {
    const short = await restoring('code.txt', {
      before: text({ five: 'i <= n' }),
      after: text({ five: 'i < n' }),
    });
    expect(short).toEqual(['likely restored fix code.txt:5-5 target']);
  });

  it('no newline at the end', async () => {
    const found = await restoring('code.txt', {
      before: text().trimEnd(),
      after: `${text()}check the sender\ncheck the amount\ncheck all`,
    });
    expect(found).toEqual(['sure restored fix code.txt:12-15 target']);
  });

  it('a very long line', async () => {
    const long = 'x'.repeat(300_000);
    const found = await restoring('code.txt', { before: `${long}a\n`, after: `${long}b\n` });
    expect(found).toEqual(['likely restored fix code.txt:1-1 target']);
  });

  it('a binary file of before two landings', async () => {
    const binary = (byte: number) => Buffer.from([0, byte, 0]);
    await scene.remote.commit({ logo: binary(1) });
    await landFix({ logo: binary(2) });
    await scene.remote.switch('main');
    await scene.remote.commit({ logo: binary(3) }, 'again');
    await scene.remote.switch('topic');
    await mergeMain();
    await scene.remote.commit({ logo: binary(1) }, 'snapshot');
    expect((await findings()).toSorted()).toEqual(['sure restored again logo', 'sure restored fix logo']);
  });

  it('a mode and a binary file of before two landings, lost in a merge', async () => {
    const binary = (byte: number) => Buffer.from([0, byte, 0]);
    await scene.remote.commit({ logo: binary(1) });
    await landFix({ logo: binary(2), 'app.txt': { executable: fixed() } });
    await scene.remote.switch('main');
    await scene.remote.commit(
      { logo: binary(3), 'app.txt': { executable: fixed({ nine: 'NINE' }) } },
      'again',
    );
    await scene.remote.switch('topic');
    await mergeMain('-s', 'ours');
    expect((await findings()).toSorted()).toEqual([
      'sure dropped_by_merge again app.txt:12-12 target',
      'sure dropped_by_merge again logo',
      'sure dropped_by_merge fix app.txt',
      'sure dropped_by_merge fix app.txt:4-6 target',
      'sure dropped_by_merge fix logo',
    ]);
  });

  it('a submodule that cannot be read', async () => {
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
    await scene.remote.commit({ module: { submodule: one } });
    await landFix({ module: { submodule: two } });
    await mergeMain();
    await scene.remote.commit({ module: { submodule: one } }, 'snapshot');
    expect(await findings()).toEqual(['sure restored fix module']);
  });

  it('the name of a lock file, if the very file of before is back', async () => {
    const found = await restoring('src/yarn.lock', { before: text(), after: fixed() });
    expect(found).toEqual(['sure restored fix src/yarn.lock:4-6 target']);
  });
});

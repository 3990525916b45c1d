import { fixedLines as fixed, twelveLines as text, UndoneScene } from '@plat/testing';
import { findingsOf } from '../judge/ask-undone';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: UndoneScene;
beforeEach(async () => (scene = await UndoneScene.create()));
afterEach(() => scene.remote.remove());

const lines = (...of: string[]) => of.map((line) => `${line}\n`).join('');

const findings = (days?: number) => findingsOf(scene, days);
async function restore(...args: Parameters<UndoneScene['restore']>): Promise<string[]> {
  await scene.restore(...args);
  return findings();
}

describe('an author cannot hide it by the form of the file', () => {
  it('a byte that makes the file binary', async () => {
    await scene.landFix();
    await scene.mergeMain();
    await scene.remote.commit({ 'app.txt': `${text()}\0\n` }, 'snapshot');
    expect(await findings()).toEqual(['possible deleted fix app.txt:4-6 target']);
  });

  it('so many lines that the file is not compared', async () => {
    await scene.landFix();
    await scene.mergeMain('-s', 'ours');
    await scene.remote.commit({ 'app.txt': text() + '\n'.repeat(100_001) }, 'padded');
    expect(await findings()).toEqual(['sure dropped_by_merge fix app.txt:4-6 target']);
  });

  it('a link in the place of the file', async () => {
    await scene.landFix();
    await scene.mergeMain();
    await scene.remote.commit({ 'app.txt': { symlink: 'old.txt' }, 'old.txt': text() }, 'linked');
    expect(await findings()).toEqual(['possible deleted fix app.txt:4-6 target']);
  });

  it('other line ends', async () => {
    const found = await restore('code.txt', {
      before: text(),
      after: text({ five: 'FIVE of it', six: 'SIX of it', seven: 'SEVEN of it' }),
      back: text().replaceAll('\n', '\r\n'),
    });
    expect(found).toEqual(['sure restored fix code.txt:5-7 target']);
  });

  it('another indentation of the lines that it brings back', async () => {
    const removed = lines('if admin', 'let them in', 'log nothing');
    const found = await restore('code.txt', {
      before: text({ three: `three\n${removed.trimEnd()}` }),
      after: text(),
      back: text({ three: `three\n  ${removed.trimEnd().replaceAll('\n', '\n  ')}` }),
    });
    expect(found).toEqual(['sure restored fix code.txt:4-6 landed']);
  });

  it('a line that stays where others come back', async () => {
    const found = await restore('code.txt', {
      before: text({ three: 'three\nif admin\nlet them in\nlog nothing' }),
      after: text({ three: 'three\nask the owner' }),
      back: text({ three: 'three\nif admin\nlet them in\nlog nothing\nask the owner' }),
    });
    expect(found).toEqual(['sure restored fix code.txt:4-6 landed']);
  });

  it('one other line among those that it brings back, which is less sure', async () => {
    const removed = ['if admin', 'let them in', 'log nothing', 'say yes'];
    const found = await restore('code.txt', {
      before: text({ three: ['three', ...removed].join('\n') }),
      after: text(),
      back: text({ three: ['three', ...removed.with(1, 'let all in')].join('\n') }),
    });
    expect(found).toEqual(['likely restored fix code.txt:4-7 landed']);
  });

  it('the new lines in a file that nothing reads, if the old ones are back in their place', async () => {
    await scene.remote.commit({ 'code.txt': text() });
    const made = lines('FIVE of it', 'SIX of it', 'SEVEN of it');
    await scene.landFix({ 'code.txt': text({ five: 'FIVE of it', six: 'SIX of it', seven: 'SEVEN of it' }) });
    await scene.mergeMain();
    await scene.remote.commit({ 'code.txt': text(), 'attic.txt': made }, 'snapshot');
    expect(await findings()).toEqual(['sure restored fix code.txt:5-7 target']);
  });

  it('lines without a Latin letter', async () => {
    const found = await restore('guide.txt', {
      before: text({ five: '送信者を信じる', six: '金額を信じる', seven: '受取人を信じる' }),
      after: text({ five: '送信者を調べる', six: '金額を調べる', seven: '受取人を調べる' }),
    });
    expect(found).toEqual(['sure restored fix guide.txt:5-7 target']);
  });

  it('a line of few signs, and brackets alone', async () => {
    const short = await restore('code.txt', {
      before: text({ five: 'i <= n' }),
      after: text({ five: 'i < n' }),
    });
    expect(short).toEqual(['likely restored fix code.txt:5-5 target']);
  });

  it('no newline at the end', async () => {
    const found = await restore('code.txt', {
      before: text().trimEnd(),
      after: `${text()}check the sender\ncheck the amount\ncheck all`,
    });
    expect(found).toEqual(['sure restored fix code.txt:12-15 target']);
  });

  it('a very long line', async () => {
    const long = 'x'.repeat(300_000);
    const found = await restore('code.txt', { before: `${long}a\n`, after: `${long}b\n` });
    expect(found).toEqual(['likely restored fix code.txt:1-1 target']);
  });

  it('a binary file of before two landings', async () => {
    const binary = (byte: number) => Buffer.from([0, byte, 0]);
    await scene.remote.commit({ logo: binary(1) });
    await scene.landFix({ logo: binary(2) });
    await scene.remote.switch('main');
    await scene.remote.commit({ logo: binary(3) }, 'again');
    await scene.remote.switch('topic');
    await scene.mergeMain();
    await scene.remote.commit({ logo: binary(1) }, 'snapshot');
    expect((await findings()).toSorted()).toEqual(['sure restored again logo', 'sure restored fix logo']);
  });

  it('a mode and a binary file of before two landings, lost in a merge', async () => {
    const binary = (byte: number) => Buffer.from([0, byte, 0]);
    await scene.remote.commit({ logo: binary(1) });
    await scene.landFix({ logo: binary(2), 'app.txt': { executable: fixed() } });
    await scene.remote.switch('main');
    await scene.remote.commit(
      { logo: binary(3), 'app.txt': { executable: fixed({ nine: 'NINE' }) } },
      'again',
    );
    await scene.remote.switch('topic');
    await scene.mergeMain('-s', 'ours');
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
    await scene.landFix({ module: { submodule: two } });
    await scene.mergeMain();
    await scene.remote.commit({ module: { submodule: one } }, 'snapshot');
    expect(await findings()).toEqual(['sure restored fix module']);
  });

  it('the name of a lock file, if the very file of before is back', async () => {
    const found = await restore('src/yarn.lock', { before: text(), after: fixed() });
    expect(found).toEqual(['sure restored fix src/yarn.lock:4-6 target']);
  });
});

import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { embeddedVerifierConfig } from '../config';
import { askInProcess } from '../judge/ask-in-process';
import type { LandingStanding, LostPlace, StandingAnswer } from './standing';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

const FIX = ['check the sender', 'check the amount', 'check the receiver'];
const BLOCK = FIX.map((line) => `${line}\n`).join('');
/** The file with a fix behind its third line. */
const fixed = (changes: Record<string, string> = {}) =>
  text({ three: `three\n${BLOCK.trimEnd()}`, ...changes });

async function standing(...commitIds: string[]): Promise<LandingStanding[]> {
  return answer(commitIds.map((commitId) => ({ commitId })));
}

async function answer(
  landings: { commitId: string; firstCommitId?: string }[],
  caps = embeddedVerifierConfig.caps,
): Promise<LandingStanding[]> {
  const tip = await scene.remote.git('rev-parse', 'main');
  const question = { condition: 'standing' as const, tip, landings, address: scene.remote.fileUrl };
  const answered = await askInProcess(question, { ...embeddedVerifierConfig, caps });
  const { landings: found, ...rest } = answered as unknown as StandingAnswer;
  expect(rest).toEqual({});
  return found;
}

/** Words for the places that the target lost of a landing, each as `path:lines version, restored, by subject`. */
async function lostOf(commitId: string): Promise<string[]> {
  const [landing] = await standing(commitId);
  expect(landing?.unknown).toBeUndefined();
  return Promise.all((landing?.lost ?? []).map(wordsOf));
}

async function wordsOf({ path, in: file, firstLine, lastLine, isRestored, lostBy }: LostPlace) {
  const place = firstLine === undefined ? path : `${path}:${firstLine}-${lastLine} ${file}`;
  const subject = await scene.remote.git('log', '-1', '--format=%s', lostBy);
  return `${place}${isRestored ? ' restored' : ''} by ${subject}`;
}

const land = (changes: FileChanges, subject: string) => scene.remote.commit(changes, subject);
const landFix = () => land({ 'app.txt': fixed() }, 'fix');

describe('a landing stands', () => {
  it('if nothing came after it', async () => {
    expect(await lostOf(await landFix())).toEqual([]);
  });

  it('if other lines of its files changed', async () => {
    const fix = await landFix();
    await land({ 'app.txt': fixed({ nine: 'NINE' }), other: 'x\n' }, 'later');
    expect(await lostOf(fix)).toEqual([]);
  });

  it('if its lines moved within the file, to another file, or with the file', async () => {
    const fix = await landFix();
    await land({ 'app.txt': `${BLOCK}${text()}` }, 'up');
    await land({ 'app.txt': text(), 'checks.txt': BLOCK }, 'out');
    await land({ 'checks.txt': null, 'src/all/checks.txt': BLOCK }, 'away');
    expect(await lostOf(fix)).toEqual([]);
  });

  it('if its file moved, and then changed elsewhere', async () => {
    const fix = await landFix();
    await land({ 'app.txt': null, 'src/app.txt': fixed() }, 'move');
    await land({ 'src/app.txt': fixed({ one: 'ONE' }) }, 'edit');
    expect(await lostOf(fix)).toEqual([]);
  });

  it('if a formatter changed its layout and line breaks', async () => {
    const fix = await land({ 'app.txt': text({ three: 'send(sender, amount, receiver);' }) }, 'fix');
    await land({ 'app.txt': text({ three: 'send(\n  sender,\n  amount,\n  receiver,\n);' }) }, 'format');
    expect(await lostOf(fix)).toEqual([]);
  });

  it('if it was landed again', async () => {
    const fix = await landFix();
    await land({ 'app.txt': text() }, 'snapshot');
    await land({ 'app.txt': fixed() }, 'again');
    expect(await lostOf(fix)).toEqual([]);
  });

  it('if it changed nothing', async () => {
    expect(await lostOf(await land({}, 'empty'))).toEqual([]);
  });
});

describe('the target has lost', () => {
  it('lines, with the commit since which they are gone', async () => {
    const fix = await landFix();
    await land({ other: 'x\n' }, 'between');
    await land({ 'app.txt': text() }, 'snapshot');
    await land({ 'app.txt': text({ nine: 'NINE' }) }, 'later');
    expect(await lostOf(fix)).toEqual(['app.txt:4-6 landed by snapshot']);
  });

  it('lines that were landed again and lost once more, by the last one', async () => {
    const fix = await landFix();
    await land({ 'app.txt': text() }, 'first');
    await land({ 'app.txt': fixed() }, 'again');
    await land({ 'app.txt': text() }, 'second');
    expect(await lostOf(fix)).toEqual(['app.txt:4-6 landed restored by second']);
  });

  it('lines of which each went with another commit', async () => {
    const fix = await landFix();
    await land({ 'app.txt': fixed({ three: `three\n${FIX[0]}\n${FIX[1]}` }) }, 'first');
    await land({ 'app.txt': text({ three: 'three\ninspect everyone\n' }) }, 'second');
    expect(await lostOf(fix)).toEqual(['app.txt:4-5 landed by second', 'app.txt:6-6 landed by first']);
  });

  it('lines that moved to another file, and then went from there', async () => {
    const fix = await landFix();
    await land({ 'app.txt': text(), 'checks.txt': BLOCK }, 'out');
    await land({ 'checks.txt': 'nothing\n' }, 'gone');
    expect(await lostOf(fix)).toEqual(['app.txt:4-6 landed restored by out']);
  });

  it('lines of a file that had moved', async () => {
    const fix = await landFix();
    await land({ 'app.txt': null, 'src/app.txt': fixed() }, 'move');
    await land({ 'src/app.txt': text() }, 'snapshot');
    const [landing] = await standing(fix);
    expect(await Promise.all(landing!.lost.map(wordsOf))).toEqual([
      'app.txt:4-6 landed restored by snapshot',
    ]);
    expect(landing!.lost[0]!.lostAt).toEqual({ path: 'src/app.txt', firstLine: 4, lastLine: 6 });
  });

  it('a removal: the lines, the file, are back', async () => {
    const shorter = text().replace('three\n', '');
    const removal = await land({ 'app.txt': shorter, 'lib/util.txt': null }, 'removal');
    await land({ 'app.txt': text({ one: 'ONE' }), 'lib/util.txt': text() }, 'snapshot');
    expect(await lostOf(removal)).toEqual([
      'app.txt:3-3 tip restored by snapshot',
      'lib/util.txt:1-12 tip restored by snapshot',
    ]);
  });

  it('a replacement by a line of no letters, or of which the lines are there too: the former lines are back', async () => {
    const before = text({ three: 'three\nask a person\nask another person\nask them all' });
    await land({ 'app.txt': before, 'lib/util.txt': before }, 'begin');
    const fix = await land({ 'app.txt': text({ three: 'three\n}' }), 'lib/util.txt': fixed() }, 'fix');
    await land({ 'app.txt': before, 'lib/util.txt': `${before}${BLOCK}` }, 'snapshot');
    expect(await lostOf(fix)).toEqual([
      'app.txt:4-6 tip restored by snapshot',
      'lib/util.txt:4-6 tip restored by snapshot',
    ]);
  });

  it('a file', async () => {
    const fix = await land({ 'new.txt': BLOCK }, 'fix');
    await land({ 'new.txt': null }, 'snapshot');
    expect(await lostOf(fix)).toEqual(['new.txt:1-3 landed restored by snapshot']);
  });

  it('a mode, a link, a submodule, a binary file', async () => {
    const [one, other] = [await scene.remote.head(), '1'.repeat(40)];
    const binary = (byte: number) => Buffer.from([0, 1, byte]);
    const changes = (mode: 'old' | 'new'): FileChanges => ({
      'app.txt': mode === 'new' ? { executable: text() } : text(),
      link: { symlink: mode === 'new' ? 'app.txt' : 'lib' },
      module: { submodule: mode === 'new' ? one : other },
      image: binary(mode === 'new' ? 2 : 3),
    });
    await land(changes('old'), 'begin');
    const fix = await land(changes('new'), 'fix');
    expect(await lostOf(fix)).toEqual([]);
    await land(changes('old'), 'snapshot');
    expect(await lostOf(fix)).toEqual([
      'app.txt restored by snapshot',
      'image restored by snapshot',
      'link restored by snapshot',
      'module restored by snapshot',
    ]);
    await land({ image: binary(4) }, 'redrawn');
    expect(await lostOf(fix)).toContain('image by snapshot');
  });

  it('commits of a series, and of a side branch', async () => {
    const first = await land({ 'app.txt': fixed() }, 'one');
    const last = await land({ 'lib/util.txt': fixed() }, 'two');
    await scene.topic({ topic: BLOCK });
    const side = await scene.remote.git('rev-parse', 'topic');
    const merge = await scene.remote.merge('topic');
    await land({ 'app.txt': text(), 'lib/util.txt': text(), topic: null }, 'snapshot');
    const [series, ofSide] = await answer([{ commitId: last, firstCommitId: first }, { commitId: side }]);
    expect(await Promise.all(series!.lost.map(wordsOf))).toEqual([
      'app.txt:4-6 landed restored by snapshot',
      'lib/util.txt:4-6 landed restored by snapshot',
    ]);
    expect(ofSide).toMatchObject({ broughtBy: merge, lost: [{ path: 'topic' }] });
  });
});

describe('it is not known', () => {
  it('for a commit that the history of the tip lacks', async () => {
    await scene.topic({ other: 'x\n' });
    const topic = await scene.remote.git('rev-parse', 'topic');
    expect(await standing(topic)).toEqual([{ commitId: topic, lost: [], unknown: 'landed_long_ago' }]);
  });

  it('for a text that is too large to compare', async () => {
    const fix = await landFix();
    await land({ 'app.txt': text() }, 'other');
    await land({ 'app.txt': fixed({ one: 'ONE' }) }, 'again');
    const caps = { ...embeddedVerifierConfig.caps, diffedFileLines: 10 };
    expect(await answer([{ commitId: fix }], caps)).toEqual([
      { commitId: fix, lost: [], unknown: 'text_not_comparable' },
    ]);
  });

  it('if there is too much to compare', async () => {
    const fix = await landFix();
    const tip = await land({ 'app.txt': text() }, 'snapshot');
    const caps = { ...embeddedVerifierConfig.caps, lineSteps: 5 };
    const question = { condition: 'standing' as const, tip, landings: [{ commitId: fix }] };
    const asked = askInProcess(
      { ...question, address: scene.remote.fileUrl },
      { ...embeddedVerifierConfig, caps },
    );
    expect(await asked).toEqual({ unknown: 'remote_too_large' });
  });
});

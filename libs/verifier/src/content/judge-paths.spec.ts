import { type FileChanges, GitRemote } from '@plat/testing';
import { embeddedVerifierConfig, type VerifierCaps } from '../config';
import { askInProcess } from '../judge/ask-in-process';
import type { LandedContent } from './content-verdict';
import type { ContentQuestion } from './judge-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const text = (changes: Record<string, string> = {}): string =>
  LINES.map((line) => `${changes[line] ?? line}\n`).join('');
const binary = (byte: number) => Buffer.from([0, byte]);

let remote: GitRemote;
beforeEach(async () => (remote = await GitRemote.create()));
afterEach(() => remote.remove());

async function judge(question: ContentQuestion, caps: Partial<VerifierCaps> = {}): Promise<string> {
  const config = { ...embeddedVerifierConfig, caps: { ...embeddedVerifierConfig.caps, ...caps } };
  const asked = { condition: 'content' as const, address: remote.fileUrl, ...question };
  const content = (await askInProcess(asked, config)) as LandedContent;
  return content.verdict === 'EXACT' ? 'EXACT' : `${content.verdict} ${content.reason}`;
}

interface Sides {
  base: FileChanges;
  ours: FileChanges;
  theirs: FileChanges;
  /** The landed changes, relative to the target. Default: git's merge of the two. */
  landed?: FileChanges;
}

/** Lands the topic onto a target that has moved on, with the changes of each side. */
async function land({ base, ours, theirs, landed }: Sides): Promise<string> {
  await remote.commit(base);
  await remote.switch('topic', 'main');
  await remote.commit(theirs);
  await remote.switch('main');
  await remote.commit(ours);
  return landed === undefined ? remote.squash('topic') : remote.commit(landed);
}

async function verdictOf(sides: Sides, caps: Partial<VerifierCaps> = {}): Promise<string> {
  return judge({ commitId: await land(sides), sourceBranch: 'topic' }, caps);
}

describe('a path that only the source changed', () => {
  const base = { app: text(), other: 'other\n' };
  const theirs = { app: text({ two: 'TWO' }) };
  const ours = { other: 'OTHER\n' };

  it('must not land with additional changes', async () => {
    const landed = { app: text({ two: 'TWO', eight: 'EIGHT' }) };
    expect(await verdictOf({ base, ours, theirs, landed })).toBe('DIVERGENT extra_content');
  });

  it('has not landed if it is another file, even one too large to compare by lines', async () => {
    const landed = { app: `${text({ two: 'TWO' })}${'more\n'.repeat(20)}` };
    for (const caps of [{ diffedFileBytes: 60 }, { diffedFileLines: 15 }]) {
      expect(await verdictOf({ base, ours, theirs, landed }, caps)).toBe('DIVERGENT source_change_missing');
      await remote.switch('main', 'main~2');
    }
  });

  it('has not landed if it is a binary, a link or lacks its mode', async () => {
    expect(await verdictOf({ base, ours, theirs, landed: { app: binary(1) } })).toBe(
      'DIVERGENT source_change_missing',
    );
    await remote.switch('main', 'main~2');
    expect(await verdictOf({ base: {}, ours, theirs, landed: { app: { symlink: 'other' } } })).toBe(
      'DIVERGENT source_change_missing',
    );
    await remote.switch('main', 'main~2');
    const executable = { app: { executable: text({ two: 'TWO' }) } };
    const landed = { app: text({ two: 'TWO', nine: 'NINE' }) };
    expect(await verdictOf({ base: {}, ours, theirs: executable, landed })).toBe(
      'DIVERGENT source_change_missing',
    );
  });
});

describe('a path that only the target changed', () => {
  const base = { app: text(), other: 'other\n' };
  const theirs = { other: 'OTHER\n' };

  it('must not have its old content', async () => {
    const ours = { app: text({ two: 'TWO' }) };
    expect(await verdictOf({ base, ours, theirs, landed: { ...theirs, app: text() } })).toBe(
      'DIVERGENT target_change_undone',
    );
  });

  it('must neither be altered nor lack a change', async () => {
    const ours = { app: text({ two: 'TWO', eight: 'EIGHT' }) };
    const altered = { ...theirs, app: text({ two: 'zwei', eight: 'EIGHT' }) };
    expect(await verdictOf({ base, ours, theirs, landed: altered })).toBe('DIVERGENT target_change_undone');
    await remote.switch('main', 'main~2');
    const lost = { ...theirs, app: text({ two: 'TWO' }) };
    expect(await verdictOf({ base: {}, ours, theirs, landed: lost })).toBe('DIVERGENT target_change_undone');
  });

  it('must keep its mode', async () => {
    const ours = { app: { executable: text({ two: 'TWO' }) } };
    const landed = { ...theirs, app: text({ two: 'TWO', nine: 'NINE' }) };
    expect(await verdictOf({ base, ours, theirs, landed })).toBe('DIVERGENT target_change_undone');
  });

  it('must not be another file, even one too large to compare by lines', async () => {
    const ours = { app: text({ two: 'TWO' }) };
    const landed = { ...theirs, app: `${text({ two: 'zwei' })}${'more\n'.repeat(20)}` };
    expect(await verdictOf({ base, ours, theirs, landed }, { diffedFileBytes: 60 })).toBe(
      'DIVERGENT target_change_undone',
    );
  });

  it('must not be a new file that is not text', async () => {
    const landed = { ...theirs, app: binary(1) };
    expect(await verdictOf({ base, ours: { app: text({ two: 'TWO' }) }, theirs, landed })).toBe(
      'DIVERGENT target_change_undone',
    );
  });
});

describe('a path that both sides changed', () => {
  const base = { app: text(), image: binary(0), readme: 'readme\n' };
  const ours = { app: text({ two: 'zwei' }) };
  const theirs = { app: text({ two: 'TWO', eight: 'EIGHT' }) };

  it('is not judged if it is too large to merge by lines', async () => {
    expect(
      await verdictOf({ base, ours: { app: text({ five: 'FIVE' }) }, theirs }, { diffedFileBytes: 20 }),
    ).toBe('UNKNOWN too_tangled');
  });

  it('has not landed if it has the content of the merge base', async () => {
    expect(await verdictOf({ base, ours, theirs, landed: { app: text() } })).toBe(
      'DIVERGENT source_change_missing',
    );
  });

  it('has not landed if undisputed lines are missing', async () => {
    expect(await verdictOf({ base, ours, theirs, landed: { app: text({ two: 'both' }) } })).toBe(
      'DIVERGENT source_change_missing',
    );
  });

  it('is not judged if its resolution is too large to compare by lines', async () => {
    const landed = { app: `${text({ two: 'both', eight: 'EIGHT' })}${'more\n'.repeat(20)}` };
    expect(await verdictOf({ base, ours, theirs, landed }, { diffedFileBytes: 60 })).toBe(
      'UNKNOWN too_tangled',
    );
  });

  it('is a decision if it is not text', async () => {
    const image = (byte: number) => ({ image: binary(byte) });
    const sides = { base, ours: image(1), theirs: { ...image(2), readme: 'README\n' } };
    const landed = { ...image(3), readme: 'README\n' };
    expect(await verdictOf({ ...sides, landed })).toBe('BY_HAND conflict_resolved');
  });
});

describe('directories', () => {
  it('a file that the source added to a directory may not land where the target moved that directory', async () => {
    const base = { 'lib/deep/one': text(), 'lib/deep/two': text({ one: 'other' }), kept: 'kept\n' };
    const ours = { 'lib/deep/one': null, 'lib/deep/two': null, 'src/one': text() };
    const theirs = { 'lib/deep/three': 'three\n' };
    const landed = { 'src/three': 'three\n' };
    expect(await verdictOf({ base, ours, theirs, landed })).toBe('DIVERGENT source_change_missing');
  });

  it('are not compared if they have more paths in dispute than the cap', async () => {
    const files = (content: string) =>
      Object.fromEntries(['a', 'b', 'c/d', 'c/e'].map((name) => [name, content]));
    const sides = { base: files('1\n'), ours: { kept: '1\n' }, theirs: files('2\n'), landed: files('3\n') };
    expect(await verdictOf(sides, { changedPaths: 3 })).toBe('UNKNOWN remote_too_large');
  });
});

describe('a landing in a special case', () => {
  const tips = async () => ({
    targetTip: await remote.git('rev-parse', 'main'),
    sourceTip: await remote.git('rev-parse', 'topic'),
  });

  it('is not found if nothing of the source is on the target', async () => {
    await land({ base: { a: '1\n' }, ours: { b: '1\n' }, theirs: { a: '2\n' }, landed: { c: '1\n' } });
    expect(await judge(await tips())).toBe('UNKNOWN landing_not_found');
    await remote.orphan('topic2');
    await remote.commit({ x: 'x\n' });
    await remote.git('branch', '--force', 'topic', 'topic2');
    expect(await judge(await tips())).toBe('UNKNOWN landing_not_found');
  });

  it('is EXACT if the source tip is the target tip', async () => {
    await remote.commit({ a: '1\n' });
    await remote.git('branch', 'topic');
    expect(await judge(await tips())).toBe('EXACT');
  });

  it('is UNKNOWN if the source branch or the commit has an impossible name', async () => {
    const commitId = await remote.commit({ a: '1\n' });
    expect(await judge({ commitId, sourceBranch: '..' })).toBe('UNKNOWN source_missing');
    expect(await judge({ commitId: 'HEAD', sourceBranch: 'main' })).toBe('UNKNOWN landing_not_found');
  });

  it('is UNKNOWN if a cap is hit, with the commits that were read before', async () => {
    const commitId = await land({ base: { a: '1\n' }, ours: { b: '1\n' }, theirs: { a: '2\n' } });
    const caps = { ...embeddedVerifierConfig.caps, boundaryCommits: 0 };
    expect(
      await askInProcess(
        { condition: 'content', address: remote.fileUrl, commitId, sourceBranch: 'topic' },
        { ...embeddedVerifierConfig, caps },
      ),
    ).toEqual({
      verdict: 'UNKNOWN',
      reason: 'remote_too_large',
      commitId,
      parentId: await remote.git('rev-parse', `${commitId}^`),
      treeId: await remote.git('rev-parse', `${commitId}^{tree}`),
      sourceTip: await remote.git('rev-parse', 'topic'),
    });
  });
});

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

describe('a path that both sides changed', () => {
  const base = { app: text(), image: binary(0), readme: 'readme\n' };

  describe.each([
    ['ours', 'theirs'],
    ['theirs', 'ours'],
  ] as const)('of which %s changed the mode and %s the content', (mode, content) => {
    const sides = {
      base,
      [mode]: { app: { executable: text() } },
      [content]: { app: text({ two: 'TWO' }) },
    } as unknown as Sides;

    it('is EXACT with both changes', async () => expect(await verdictOf(sides)).toBe('EXACT'));

    it('is DIVERGENT without the mode and with an additional line', async () => {
      const commitId = await land({ ...sides, landed: { app: text({ two: 'TWO', nine: 'NINE' }) } });
      expect(await judge({ commitId, sourceBranch: 'topic' })).toMatch(/^DIVERGENT/);
    });
  });
});

describe('several merge bases', () => {
  /** Each branch merges the commit that the other had before its own merge. Then the topic gets one more commit. */
  async function crissCross(): Promise<void> {
    await remote.commit({ one: text(), two: text(), three: 'three\n' });
    await remote.switch('topic', 'main');
    await remote.commit({ one: text({ one: 'ONE' }) });
    await remote.switch('main');
    await remote.commit({ two: text({ two: 'TWO' }) });
    const [topic, main] = [await remote.git('rev-parse', 'topic'), await remote.head()];
    await remote.merge(topic);
    await remote.switch('topic');
    await remote.merge(main);
    await remote.commit({ three: 'THREE\n' });
    await remote.switch('main');
  }

  it('a landing that is exact for each of them is SAME_CHANGE, because git merges them first', async () => {
    await crissCross();
    const question = { commitId: await remote.squash('topic'), sourceBranch: 'topic' };
    expect(await judge(question)).toBe('SAME_CHANGE several_merge_bases');
  });

  it('a landing that is not exact for each of them is UNKNOWN', async () => {
    await crissCross();
    expect(await judge({ commitId: await remote.commit({ four: '4\n' }), sourceBranch: 'topic' })).toBe(
      'UNKNOWN several_merge_bases',
    );
  });
});

import { LandingScene } from '@plat/testing';
import { verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

const HEAD = Array.from({ length: 8 }, (_, line) => `// line ${line}\n`).join('');
const BODY = 'function omega() {\n  step();\n  return;\n}\n';
const IMPORT = 'import delta\n';
const CLASS = 'class alpha {\n  constructor() {\n  }\n\n  close() {\n  }\n}\n\n';

const file = (text: string) => ({ 'main.ts': HEAD + text });

/**
 * The source inserts a function and deletes the line `}` at the end, to which the target appends a class. Among the
 * lines `}`, git's merge takes the function's for the base's, and so the import below it for an addition; compared the
 * other way round, the import is the base's, and the last line seems to be deleted in that place.
 */
describe.each([['one commit'], ['two commits']])(
  'beside repeated lines, if the source has %s,',
  (commits) => {
    let scene: LandingScene;
    beforeEach(async () => {
      scene = await LandingScene.create();
      await scene.remote.commit(file(`${IMPORT}}\n`));
      const source = [file(`${BODY}\n${IMPORT}}\n`), file(`${BODY}\n${IMPORT}`)];
      await scene.topic(...source.slice(commits === 'one commit' ? 1 : 0));
      await scene.remote.commit(file(`${IMPORT}}\n${CLASS}`));
    });
    afterEach(() => scene.remote.remove());

    /** The verdicts on a landing, and on a second one after a sound first one was reverted. */
    const verdictsOn = async (landing: string) => {
      const target = await scene.remote.head();
      await scene.remote.commit(file(landing));
      const first = await verdictOf(scene.remote);
      await scene.remote.switch('main', target);
      await scene.remote.revert(await scene.remote.commit(file(`${BODY}\n${IMPORT}${CLASS}`)));
      await scene.remote.commit(file(landing));
      const second = await verdictOf(scene.remote);
      expect(second).toEqual(first);
      return second[0];
    };

    it.each([
      ["the source's first", `${BODY}\n${IMPORT}${CLASS}`],
      ["the target's first", `${BODY}${CLASS}\n${IMPORT}`],
    ])('both sides together are SAME_CHANGE, %s', async (_, landing) => {
      expect(await verdictsOn(landing)).toBe('SAME_CHANGE conflict_resolved');
    });

    it.each([
      ['the line that both sides kept', `${BODY}\n${CLASS}`, 'source_change_missing'],
      ["the source's whole place", `${BODY}${CLASS}`, 'source_change_missing'],
      ['the function', `${IMPORT}${CLASS}`, 'source_change_missing'],
      [
        'a line of the function',
        `${BODY.replace('  step();\n', '')}\n${IMPORT}${CLASS}`,
        'source_change_missing',
      ],
      ['all of the source', `${IMPORT}}\n${CLASS}`, 'source_change_missing'],
      ['the class, as on a wrong base', `${BODY}\n${IMPORT}`, 'target_change_undone'],
      [
        'a line of the class',
        `${BODY}\n${IMPORT}${CLASS.replace('  close() {\n', '')}`,
        'target_change_undone',
      ],
    ])('a landing is DIVERGENT without %s', async (_, landing, reason) => {
      expect(await verdictsOn(landing)).toBe(`DIVERGENT ${reason}`);
    });

    if (commits === 'two commits') {
      it.each([
        ["the source's lines first", `${BODY}\n${IMPORT}}\n${CLASS}`],
        ["the target's lines first", `${BODY}${CLASS}\n${IMPORT}}\n`],
        ['on a wrong base', `${BODY}\n${IMPORT}}\n`],
        ["without the class's last line", `${BODY}\n${IMPORT}}\n${CLASS.replace('\n}\n', '\n')}`],
      ])('the first commit alone is DIVERGENT, %s', async (_, landing) => {
        expect(await verdictsOn(landing)).toBe('DIVERGENT source_change_missing');
      });
    }
  },
);

describe('beside repeated lines, the same holds', () => {
  let scene: LandingScene;
  beforeEach(async () => (scene = await LandingScene.create()));
  afterEach(() => scene.remote.remove());

  const sides = [
    ['if the base has the line twice', '}\n', '}\n', ''],
    ['if the source deletes another line with it', '', 'x\n}\n', ''],
    ['if the target begins with the same line', '', '}\n', '}\n'],
  ] as const;

  it.each(sides)('%s', async (_, above, below, own) => {
    const inFile = (text: string) => file(`${above}${text}`);
    await scene.remote.commit(inFile(`${IMPORT}${below}`));
    await scene.topic(inFile(`${BODY}\n${IMPORT}${below}`), inFile(`${BODY}\n${IMPORT}`));
    await scene.remote.commit(inFile(`${IMPORT}${below}${own}${CLASS}`));
    const target = await scene.remote.head();
    const verdictOn = async (landing: string) => {
      await scene.remote.switch('main', target);
      await scene.remote.commit(inFile(landing));
      return (await verdictOf(scene.remote))[0];
    };
    expect(await verdictOn(`${BODY}\n${IMPORT}${own}${CLASS}`)).toBe('SAME_CHANGE conflict_resolved');
    expect(await verdictOn(`${BODY}\n${own}${CLASS}`)).toBe('DIVERGENT source_change_missing');
    expect(await verdictOn(`${BODY}\n${IMPORT}`)).toBe('DIVERGENT target_change_undone');
    // Where the line stands twice in the base, the one that is back may be the other one.
    const ofFirst = above === '' ? 'DIVERGENT source_change_missing' : 'UNKNOWN conflict_resolved';
    expect(await verdictOn(`${BODY}\n${IMPORT}${below}${own}${CLASS}`)).toBe(ofFirst);
  });
});

import { GitRemote, type ImportedCommit, verifierWorkerFile } from '@plat/testing';
import { embeddedVerifierConfig } from '../config';
import { Verifier } from '../verifier';
import type { UndoneUnknown, UndoneWork } from './undone-work';

jest.setTimeout(300_000);

const BEGIN = 1_700_000_000;
const FIX = 'check the sender\ncheck the amount\ncheck the receiver\n';
const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

/** In a worker process with the memory of the service's. */
describe('undone work in histories and files of any size', () => {
  let remote: GitRemote;
  let verifier: Verifier;
  beforeAll(async () => {
    verifier = new Verifier(embeddedVerifierConfig, { workerFile: await verifierWorkerFile() });
  });
  afterAll(() => verifier.close());
  beforeEach(async () => (remote = await GitRemote.create()));
  afterEach(() => remote.remove());

  /** Asks about the last of the commits, which lands the one before it. */
  async function ask(commits: readonly ImportedCommit[]): Promise<UndoneWork | UndoneUnknown> {
    const landed = commits.length - 1;
    const ids = await remote.import(commits, { source: landed - 1, landed });
    const question = { commitId: ids[landed] as string, sourceCommitId: ids[landed - 1] as string, days: 30 };
    return verifier.findUndoneWork({ ...question, remoteUrl: remote.fileUrl });
  }

  /** A chain of commits, each with the files of its number. */
  const chain = (count: number, files: (index: number) => Record<string, string>): ImportedCommit[] =>
    Array.from({ length: count }, (_, index) => ({
      parents: index === 0 ? [] : [index - 1],
      date: BEGIN + index,
      files: files(index),
    }));

  /** A source that parts below the newest commit and merges it with its own files, and the landing of it. */
  function landOwnSide(target: readonly ImportedCommit[], own: Record<string, string>): ImportedCommit[] {
    const tip = target.length - 1;
    const date = BEGIN + target.length;
    return [
      ...target,
      { parents: [tip - 1], date, files: own },
      { parents: [tip + 1, tip], date: date + 1, files: own },
      { parents: [tip], date: date + 2, files: own },
    ];
  }
  const found = { kind: 'dropped_by_merge', certainty: 'sure' };

  it('a history of 100,000 commits is read as far as it is needed', async () => {
    const target = chain(100_000, (index) => ({
      app: `one\n${index === 99_999 ? FIX : ''}`,
      log: `${index}\n`,
    }));
    const answer = await ask(landOwnSide(target, { app: 'one\n', log: '99999\n' }));
    expect(answer).toMatchObject({ findings: [{ ...found, path: 'app' }], window: { landings: 1_000 } });
  });

  it('a file of 100,000 lines that 40 landings changed, and 40 commits of the source', async () => {
    const lines = numbered(99_900, 'line');
    const file = (index: number) => `${numbered(index, 'landed by')}${lines}`;
    const target = chain(41, (index) => ({ app: file(index) }));
    const tip = target.length - 1;
    const own = Array.from({ length: 40 }, (_, index): ImportedCommit => {
      const files = { app: `${lines}${numbered(index + 1, 'own')}` };
      return { parents: [index === 0 ? 0 : tip + index], date: BEGIN + 100 + index, files };
    });
    const { files } = own.at(-1) as { files: Record<string, string> };
    const merge = { parents: [tip + 40, tip], date: BEGIN + 200, files };
    const answer = await ask([...target, ...own, merge, { parents: [tip], date: BEGIN + 201, files }]);
    expect(answer).toMatchObject({ window: { isComplete: false } });
    const { findings } = answer as UndoneWork;
    expect(findings.filter(({ kind }) => kind === 'dropped_by_merge')).toHaveLength(32);
  });

  it('a source that changes 4,000 files keeps the window', async () => {
    const many = (word: string) =>
      Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`many/${index}`, `${word}\n`]));
    const target = chain(100, (index) => ({
      app: `one\n${index > 1 ? FIX : ''}`,
      log: `${index}\n`,
      ...many('a'),
    }));
    const own = { app: 'one\n', log: '1\n', ...many('b') };
    const [tip, date] = [target.length - 1, BEGIN + target.length];
    const answer = await ask([
      ...target,
      { parents: [1], date, files: own },
      { parents: [tip + 1, tip], date: date + 1, files: { ...own, log: '99\n' } },
      { parents: [tip], date: date + 2, files: { ...own, log: '99\n' } },
    ]);
    expect(answer).toMatchObject({ findings: [{ ...found, path: 'app' }], window: { isComplete: true } });
  });

  it('a source of 257 commits is not known, and one of 256 is', async () => {
    const files = { app: 'one\n' };
    const sources = (count: number) => [
      ...chain(count + 1, (index) => (index === 0 ? { app: `one\n${FIX}` } : files)),
      { parents: [0], date: BEGIN + 1_000, files },
    ];
    expect(await ask(sources(257))).toEqual({ unknown: 'parted_long_ago' });
    expect(await ask(sources(256))).toMatchObject({ window: { landings: 1 } });
  });

  it('a target that was written again since the source parted', async () => {
    const app = (fix = '') => ({ app: `one\n${fix}`, log: 'log\n' });
    const answer = await ask([
      ...chain(3, (index) => app(index === 2 ? FIX : '')),
      { parents: [0], date: BEGIN + 10, files: { ...app(FIX), log: 'new\n' } },
      { parents: [2], date: BEGIN + 11, files: { ...app(FIX), own: 'own\n' } },
      { parents: [4, 3], date: BEGIN + 12, files: { ...app(), own: 'own\n' } },
      { parents: [3], date: BEGIN + 13, files: { ...app(), own: 'own\n' } },
    ]);
    expect(answer).toMatchObject({ findings: [{ ...found, path: 'app', firstLine: 2, lastLine: 4 }, {}] });
  });

  it('a source that shares no history with the target is not known', async () => {
    const answer = await ask([
      { parents: [], date: BEGIN, files: { app: 'one\n' } },
      { parents: [], date: BEGIN + 1, files: { app: 'two\n' } },
      { parents: [0], date: BEGIN + 2, files: { app: 'two\n' } },
    ]);
    expect(answer).toEqual({ unknown: 'parted_long_ago' });
  });
});

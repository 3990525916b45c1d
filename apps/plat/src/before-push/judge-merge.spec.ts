import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifierWorkerFile } from '@plat/testing';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { requireSoundMerge } from './judge-merge';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let home: string;
let checkout: GateCheckout;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plat-spec-'));
  checkout = await GateCheckout.create({ home } as Machine);
});
afterEach(() => rm(home, { recursive: true }));

const idOf = (revision: string) => checkout.git('rev-parse', revision);

interface Judge {
  verifierWorker?: string;
  stopped?: AbortSignal;
}

/** Judges the commits of `main` since a base. @returns the notes */
function judge(onto: string, ...branches: string[]): Promise<string[]> {
  return judgeBy({}, onto, ...branches);
}

async function judgeBy(
  { verifierWorker, stopped }: Judge,
  onto: string,
  ...branches: string[]
): Promise<string[]> {
  const notes: string[] = [];
  const sources = await Promise.all(
    branches.map(async (sourceBranch) => ({ sourceBranch, sourceCommit: await idOf(sourceBranch) })),
  );
  const input = { targetBranch: 'main', commitId: await idOf('main'), onto, sources };
  const note = (line: string) => notes.push(line);
  const judge = { note, verifierWorker: verifierWorker ?? (await verifierWorkerFile()) };
  await requireSoundMerge(gitIn(checkout.folder, stopped), input, judge);
  return notes;
}

async function squash(branch: string, more: Record<string, string> = {}): Promise<void> {
  await checkout.git('merge', '--quiet', '--squash', branch);
  await checkout.commit(more, branch);
}

describe('a merge is judged as the platform will judge it, before it is pushed', () => {
  it('without a word if each of its squash commits is EXACT', async () => {
    await checkout.branch('part', { 'part.txt': 'part\n' });
    await checkout.branch('fix/other', { 'numbers.txt': lines(1, 40, { 2: 'two' }) });
    const onto = await checkout.commit({ 'work.txt': 'w\n' }, 'work');
    await squash('part');
    await squash('fix/other');
    expect(await judge(onto, 'part', 'fix/other')).toEqual([]);
  });

  it('and is refused, with the place, if it has what neither side has', async () => {
    await checkout.branch('part', { 'part.txt': 'part\n' });
    const onto = await idOf('main');
    await squash('part', { 'evil.txt': 'evil\n' });
    await expect(judge(onto, 'part')).rejects.toMatchObject({
      code: 'CONTENT_DIVERGES',
      message: expect.stringMatching(
        /part: DIVERGENT \(extra_content\); extra evil\.txt.*Nothing was pushed\./,
      ),
    });
  });

  it('and is named, with each place, if a person decided its conflicts', async () => {
    await checkout.branch('part', { 'numbers.txt': lines(1, 40, { 2: 'theirs' }) });
    const onto = await checkout.commit({ 'numbers.txt': lines(1, 40, { 2: 'ours' }) }, 'ours');
    const commitId = await checkout.commit({ 'numbers.txt': lines(1, 40, { 2: 'both' }) }, 'part');
    expect(await judge(onto, 'part')).toEqual([
      `${commitId}, the merge of part, will be shown as BY_HAND (conflict_resolved); decided by hand numbers.txt:2, lines of the landed file`,
    ]);
  });

  it('as far as its sources are known', async () => {
    const onto = await idOf('main');
    await checkout.commit({ 'a.txt': 'a\n' }, 'a');
    expect(await judge(onto)).toEqual([]);
    await checkout.branch('part', { 'part.txt': 'part\n' });
    await checkout.commit({ 'b.txt': 'b\n' }, 'b');
    expect(await judge(onto, 'part')).toEqual([
      `${await idOf('main')} is not judged before the push: the numbers of its commits (2) and sources (1) differ`,
    ]);
  });

  it('in a process of its own, which ends with the command, whatever it computes', async () => {
    await checkout.branch('part', { 'part.txt': 'part\n' });
    const onto = await idOf('main');
    await squash('part');
    const heard = createServer().listen(0, '127.0.0.1');
    await once(heard, 'listening');
    const { port } = heard.address() as AddressInfo;
    const verifierWorker = join(home, 'worker.js');
    const compute = `require('net').connect(${port}).end(String(process.pid), () => { for (;;); })`;
    await writeFile(
      verifierWorker,
      `process.once('message', () => process.on('message', () => { ${compute} }));`,
    );
    const stop = new AbortController();
    const judged = judgeBy({ verifierWorker, stopped: stop.signal }, onto, 'part').catch(
      (error: unknown) => error,
    );
    const [socket] = (await once(heard, 'connection')) as [Socket];
    const [pid] = (await once(socket, 'data')) as [Buffer];
    stop.abort();
    expect(await judged).toMatchObject({ name: 'AbortError' });
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    heard.close();
  });

  it('and leaves no folder behind', async () => {
    const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('plat-judge-'));
    const before = await folders();
    await checkout.branch('part', { 'part.txt': 'part\n' });
    const onto = await idOf('main');
    await squash('part');
    await judge(onto, 'part');
    expect((await folders()).filter((name) => !before.includes(name))).toEqual([]);
  });
});

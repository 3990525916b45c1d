import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedVerifierConfig, type VerifierConfig } from '../config';
import type { Question } from '../judge/question';
import { VerifierUnavailable } from './unavailable';
import { WorkerPool } from './worker-pool';

const question: Question = {
  condition: 'queue',
  address: 'file:///r',
  targetBranch: 'main',
  commitId: 'a'.repeat(40),
};
const config: VerifierConfig = {
  ...embeddedVerifierConfig,
  concurrency: { ...embeddedVerifierConfig.concurrency, workerHeapMegabytes: 32, workerIdleMs: 100 },
};

describe('WorkerPool', () => {
  let folder: string;
  let pool: WorkerPool;
  let defects: Error[];
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-worker-'))));
  afterEach(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });

  /**
   * A pool whose processes run `program` on each question instead of judging.
   * @param start a program that each process runs when it starts
   */
  async function poolOf(program: string, start = '', totalMs = 30_000): Promise<WorkerPool> {
    const file = join(folder, 'worker.js');
    await writeFile(
      file,
      `${start}; process.once('message', () => process.on('message', (question) => { ${program} }));`,
    );
    defects = [];
    pool = new WorkerPool(file, { ...config, caps: { ...config.caps, totalMs } });
    return pool;
  }

  it('ends a process that is stuck in a computation', async () => {
    await poolOf('for (;;);', '', 100);
    expect(await pool.ask(question)).toMatchObject({
      judged: false,
      reason: 'remote_unreadable',
      cause: 'verification process ended',
    });
  });

  describe('a process that fails by itself, or is killed', () => {
    const lost = `require('fs').appendFileSync(question.address, 'x');
      const isFirst = require('fs').readFileSync(question.address, 'utf8') === 'x';`;
    const onDefect = (defect: Error) => defects.push(defect);

    it.each([
      ['fails', `throw new Error('a defect');`, 'Error: a defect'],
      ['is killed', `process.kill(process.pid, 'SIGKILL');`, 'exit SIGKILL'],
    ])('%s: another process is asked, and the failure is reported', async (_, end, message) => {
      await poolOf(`${lost} if (isFirst) { ${end} } else process.send('answered');`);
      expect(await pool.ask({ ...question, address: join(folder, 'asked') }, { onDefect })).toBe('answered');
      expect(defects).toEqual([
        expect.objectContaining({ message: expect.stringContaining(message) as unknown }),
      ]);
    });

    it('twice: the question is rejected with VerifierUnavailable, without a verdict on the remote', async () => {
      await poolOf(`process.kill(process.pid, 'SIGKILL');`);
      await expect(pool.ask(question, { onDefect })).rejects.toBeInstanceOf(VerifierUnavailable);
      expect(defects).toHaveLength(2);
    });
  });

  it('passes on when a process yields its slot and when it wants one again', async () => {
    await poolOf(`
      if (question.slot === 'resumed') process.send('answered');
      else { process.send({ slot: 'yielded' }); process.send({ slot: 'wanted' }); }`);
    const said: string[] = [];
    const slot = {
      yield: () => void said.push('yield'),
      resume: async () => void said.push('resume'),
      revoked: new AbortController().signal,
    };
    expect(await pool.ask(question, { slot })).toBe('answered');
    expect(said).toEqual(['yield', 'resume']);
  });

  it('ends a process whose slot is revoked, without a verdict on its remote', async () => {
    await poolOf('');
    const revocation = new AbortController();
    const slot = { yield: () => undefined, resume: () => Promise.resolve(), revoked: revocation.signal };
    const answer = pool.ask(question, { slot });
    revocation.abort();
    await expect(answer).rejects.toThrow(VerifierUnavailable);
  });

  it('asks the same process again while it is needed, and ends it when it is idle', async () => {
    await poolOf('process.send(process.pid);');
    const first = await pool.ask(question);
    expect(await pool.ask(question)).toBe(first);
    const [one, other] = await Promise.all([pool.ask(question), pool.ask(question)]);
    expect(one).not.toBe(other);
    // An idle process's end is not observable from outside.
    await new Promise((resolve) => setTimeout(resolve, 3 * config.concurrency.workerIdleMs));
    expect([one, other]).not.toContain(await pool.ask(question));
  });

  it('has a process ready before it is asked, and starts a new one once the first was ended as idle', async () => {
    const heard = createServer().listen(0, '127.0.0.1');
    await once(heard, 'listening');
    const { port } = heard.address() as AddressInfo;
    await poolOf('process.send(process.pid);', `require('net').connect(${port}).end(String(process.pid))`);
    const start = nextStart(heard);
    pool.keepOneReady();
    const ready = await start;
    const nextOne = nextStart(heard);
    expect(await pool.ask(question)).toBe(ready);
    const fresh = await nextOne;
    expect(fresh).not.toBe(ready);
    expect(await pool.ask(question)).toBe(fresh);
    heard.close();
  });

  it('rejects questions after it is closed', async () => {
    await poolOf('process.send(1);');
    await pool.ask(question);
    await pool.close();
    await expect(pool.ask(question)).rejects.toThrow('verifier closed');
  });
});

/** The id of the process that reports its start next. */
async function nextStart(heard: Server): Promise<number> {
  const [socket] = (await once(heard, 'connection')) as [NodeJS.ReadableStream];
  const [pid] = (await once(socket, 'data')) as [Buffer];
  return Number(pid.toString());
}

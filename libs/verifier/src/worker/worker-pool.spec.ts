import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { embeddedVerifierConfig, type VerifierConfig } from '../config';
import type { Question } from './question';
import { WorkerPool } from './worker-pool';

const question: Question = {
  condition: 'queue',
  address: 'file:///r',
  targetBranch: 'main',
  commitId: 'a'.repeat(40),
};
const config: VerifierConfig = {
  ...embeddedVerifierConfig,
  caps: { ...embeddedVerifierConfig.caps, totalMs: 100 },
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

  /** A pool whose threads run this on each question, in place of a judgement. */
  async function poolOf(program: string): Promise<WorkerPool> {
    const file = join(folder, 'worker.js');
    await writeFile(
      file,
      `const { parentPort, threadId } = require('node:worker_threads');\nparentPort.on('message', (question) => { ${program} });`,
    );
    defects = [];
    pool = new WorkerPool(file, config);
    return pool;
  }

  it('ends a thread that is stuck in a computation', async () => {
    await poolOf('for (;;);');
    expect(await pool.ask(question)).toMatchObject({
      judged: false,
      reason: 'remote_unreadable',
      cause: 'verification thread ended',
    });
  });

  it('ends a thread that runs out of its memory, without harm to the process', async () => {
    await poolOf('const all = []; for (;;) all.push(new Array(1000).fill({}));');
    expect(await pool.ask(question, { onDefect: (defect) => defects.push(defect) })).toMatchObject({
      judged: false,
      reason: 'remote_too_large',
    });
    expect(defects).toEqual([]);
  });

  it('tells of a thread that failed by itself, and starts another one', async () => {
    await poolOf(
      `if (question.commitId === 'fail') throw new Error('a defect'); parentPort.postMessage('answered');`,
    );
    expect(
      await pool.ask({ ...question, commitId: 'fail' }, { onDefect: (defect) => defects.push(defect) }),
    ).toMatchObject({
      judged: false,
      reason: 'remote_unreadable',
    });
    expect(defects).toEqual([expect.objectContaining({ message: 'a defect' })]);
    expect(await pool.ask(question)).toBe('answered');
  });

  it('asks the same thread again while it is needed, and ends it when it is not', async () => {
    await poolOf('parentPort.postMessage(threadId);');
    const first = await pool.ask(question);
    expect(await pool.ask(question)).toBe(first);
    const [one, other] = await Promise.all([pool.ask(question), pool.ask(question)]);
    expect(one).not.toBe(other);
    // Nothing tells from outside that an idle thread has ended.
    await new Promise((resolve) => setTimeout(resolve, 3 * config.concurrency.workerIdleMs));
    expect([one, other]).not.toContain(await pool.ask(question));
  });

  it('has a thread ready before it is asked, and a fresh one again when that one was idle', async () => {
    const heard = new BroadcastChannel(folder);
    const nextStart = () => new Promise((resolve) => (heard.onmessage = ({ data }) => resolve(data)));
    await poolOf('parentPort.postMessage(threadId);');
    await appendFile(
      join(folder, 'worker.js'),
      `const started = new BroadcastChannel(${JSON.stringify(folder)});
       started.postMessage(threadId);
       started.close();`,
    );
    const start = nextStart();
    pool.keepOneReady();
    const ready = await start;
    const nextOne = nextStart();
    expect(await pool.ask(question)).toBe(ready);
    const fresh = await nextOne;
    expect(fresh).not.toBe(ready);
    expect(await pool.ask(question)).toBe(fresh);
    heard.close();
  });

  it('answers nothing any more when it is closed', async () => {
    await poolOf('parentPort.postMessage(1);');
    await pool.ask(question);
    await pool.close();
    expect(await pool.ask(question)).toMatchObject({ judged: false, cause: 'verifier closed' });
  });
});

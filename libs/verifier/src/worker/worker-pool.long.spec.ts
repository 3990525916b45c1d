import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedVerifierConfig, type VerifierConfig } from '../config';
import type { Question } from '../judge/question';
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

  it.each([
    ['many objects', 'const all = []; for (;;) all.push(new Array(1000).fill({}));'],
    [
      'a table that outgrows the heap at once',
      'const all = new Map(); for (let i = 0; ; i++) all.set(`k${i}`, { i });',
    ],
    ['one array', 'const all = new Array(50_000_000).fill(1.5); process.send(all.length);'],
  ])('survives a process that exceeds its memory: %s', async (_, program) => {
    await poolOf(program);
    expect(await pool.ask(question, { onDefect: (defect) => defects.push(defect) })).toMatchObject({
      judged: false,
      reason: 'remote_too_large',
    });
    expect(defects).toEqual([]);
  });
});

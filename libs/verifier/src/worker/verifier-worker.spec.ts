import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fork, verifierWorkerFile } from '@plat/testing';
import { embeddedVerifierConfig } from '../config';
import type { Question } from '../judge/question';

/** A question about a port without a listener. */
const closed: Question = {
  condition: 'queue',
  address: 'http://127.0.0.1:1/o/r.git',
  targetBranch: 'main',
  commitId: 'a'.repeat(40),
};

describe('the worker process', () => {
  async function forked(execArgv: string[] = []): Promise<ChildProcess> {
    const stdio: StdioOptions = ['pipe', 'pipe', 'inherit', 'ipc'];
    return fork(await verifierWorkerFile(), [], { execArgv, serialization: 'advanced', stdio });
  }

  async function started(): Promise<ChildProcess> {
    const child = await forked();
    child.send(embeddedVerifierConfig);
    expect(await answerOf(child)).toMatchObject({ verified: false });
    return child;
  }

  async function answerOf(child: ChildProcess): Promise<unknown> {
    const answer = once(child, 'message');
    child.send(closed);
    return ((await answer) as unknown[])[0];
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ignores %s: the service ends it', async (signal) => {
    const child = await started();
    child.kill(signal);
    expect(await answerOf(child)).toMatchObject({ verified: false });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });

  it('ends when its service ends, whatever the cause', async () => {
    const child = await started();
    const ended = once(child, 'exit');
    child.stdin?.destroy();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('ends then while it computes, too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-worker-'));
    const computing = join(folder, 'computing.cjs');
    await writeFile(
      computing,
      `process.on('message', () => { require('node:fs').writeSync(1, 'computing'); for (;;); });`,
    );
    const child = await forked([`--require=${computing}`]);
    const ended = once(child, 'exit');
    child.send(embeddedVerifierConfig);
    await once(child.stdout as Readable, 'data');
    child.stdin?.destroy();
    expect(await ended).toEqual([null, 'SIGKILL']);
    await rm(folder, { recursive: true });
  });
});

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
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
  async function startWorker(): Promise<ChildProcess> {
    const child = fork(await verifierWorkerFile(), [], { execArgv: [], serialization: 'advanced' });
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
    const child = await startWorker();
    child.kill(signal);
    expect(await answerOf(child)).toMatchObject({ verified: false });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });

  it('ends when its service ends, whatever the cause', async () => {
    const child = await startWorker();
    const ended = once(child, 'exit');
    child.disconnect();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});

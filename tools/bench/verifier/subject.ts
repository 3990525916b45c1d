import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { verifierWorker } from '@plat/verifier';
import { root } from '../part';
import type { Answered, Asked } from './subject/exchange';

const FOLDER = join(root, 'dist', 'tools', 'verifier');

/** Bundles the measured program with its worker next to it, as an app is built. */
export async function buildSubject(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: {
      subject: 'tools/bench/verifier/subject/main.ts',
      [verifierWorker.name]: verifierWorker.entry,
    },
    outdir: FOLDER,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    tsconfig: join(root, 'tsconfig.base.json'),
    logLevel: 'error',
  });
}

/** Nothing listens there. */
const CLOSED = 'http://127.0.0.1:1/o/r.git';

interface Waiting {
  resolve(answered: Answered): void;
  reject(error: Error): void;
}

/** A fresh process with a verifier, so that its figures come only from the questions that it was asked. */
export class Subject {
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (answered: Answered) => this.waiting.get(answered.index)?.resolve(answered));
    child.once('exit', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('the measured process ended'));
    });
  }

  /** Starts the process, and its worker by a question about a closed remote. @param signal ends the process */
  static async start(signal: AbortSignal): Promise<Subject> {
    const child = fork(join(FOLDER, 'subject.js'), { signal, execArgv: [] });
    // Ignores the error of the signal: whoever waits for the process ends by the same signal.
    child.on('error', () => undefined);
    await once(child, 'spawn');
    const subject = new Subject(child);
    await subject.ask({ condition: 'queue', remoteUrl: CLOSED, targetBranch: 'main', commitId: '' });
    return subject;
  }

  get processId(): number {
    return this.child.pid as number;
  }

  async ask(question: Asked): Promise<Answered> {
    const index = this.asked;
    this.asked += 1;
    const answered = new Promise<Answered>((resolve, reject) => this.waiting.set(index, { resolve, reject }));
    this.child.send(question);
    return answered.finally(() => this.waiting.delete(index));
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

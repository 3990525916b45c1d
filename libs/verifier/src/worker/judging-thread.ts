import { Worker } from 'node:worker_threads';
import type { VerifierConfig } from '../config';
import type { Answer, Question } from './question';

/** The thread ended before it answered: by an error of its own, by its memory limit, or because it was ended. */
export class ThreadEnded extends Error {
  /** @param defect what the thread threw: a defect of ours, since whatever a remote sends is answered */
  constructor(
    readonly outOfMemory: boolean,
    readonly defect?: Error,
  ) {
    super(outOfMemory ? 'verification needed too much memory' : 'verification thread ended');
  }
}

/** One worker thread, which takes one question at a time. It keeps the process alive only while it is asked. */
export class JudgingThread {
  private readonly worker: Worker;
  private waiting?: { resolve(answer: Answer): void; reject(error: ThreadEnded): void };
  private failure = new ThreadEnded(false);
  ended = false;

  constructor(file: string, config: VerifierConfig) {
    this.worker = new Worker(file, {
      workerData: config,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: config.concurrency.workerHeapMegabytes },
    });
    this.worker.unref();
    this.worker.on('message', (answer: Answer) => this.settle()?.resolve(answer));
    this.worker.on('error', (error: NodeJS.ErrnoException) => {
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.failure = new ThreadEnded(outOfMemory, outOfMemory ? undefined : error);
    });
    this.worker.on('exit', () => {
      this.ended = true;
      this.settle()?.reject(this.failure);
    });
  }

  /** @throws ThreadEnded */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(this.failure);
      this.waiting = { resolve, reject };
      this.worker.ref();
      this.worker.postMessage(question);
    });
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private settle(): JudgingThread['waiting'] {
    const { waiting } = this;
    this.waiting = undefined;
    this.worker.unref();
    return waiting;
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { YieldingSlot } from '@plat/fair-slots';
import type { VerifierConfig } from '../config';
import type { Answer, Question } from '../judge/question';
import type { GitRequest } from '../transport/git-request';
import {
  type AskedQuestion,
  isRequestMade,
  isSlotWord,
  type RequestMade,
  type SlotResumed,
  type SlotWord,
} from './message';

/** Node aborts with this signal if its heap is full. */
const ABORTED_SIGNAL = 'SIGABRT';
const ABORTED_CODE = 134;
/** MiB of each of V8's three spaces for young objects. Few, as what a verification reads lives long. Saves 70 MiB. */
const YOUNG_HEAP = '--max-semi-space-size=4';
/** Most bytes that are kept of a process's last output, for the report of a failure. */
const LAST_WORDS_MAX = 8 * 1024;

/** The process ended before it answered: by an error of its own, by its memory limit, or because it was ended. */
export class ProcessEnded extends Error {
  /**
   * @param defect the last output of a process that failed. It is a defect of this project, because a worker answers on
   *   any remote
   */
  constructor(
    readonly outOfMemory: boolean,
    readonly defect?: Error,
  ) {
    super(outOfMemory ? 'verification needed too much memory' : 'verification process ended');
  }
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: ProcessEnded): void;
  slot: YieldingSlot;
  onRequest: ((request: GitRequest) => void) | undefined;
}

/** The options of a question. */
export interface Asked {
  /** Default: the question needs no slot, so that yielding it does nothing. */
  slot?: YieldingSlot;
  /** Called with each request that the worker makes to the remote. */
  onRequest?: (request: GitRequest) => void;
}

/** The slot of a question that needs none. */
const NO_SLOT: YieldingSlot = { yield: () => undefined, resume: () => Promise.resolve() };

/**
 * One worker process, which answers one question at a time. It keeps its parent process alive only while it works.
 *
 * It is a process and not a thread, because an allocation that exceeds a thread's heap ends the thread's whole process,
 * regardless of its resource limits.
 */
export class JudgingProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private waiting?: Waiting;
  private failure = new ProcessEnded(false);
  private isToEnd = false;
  ended = false;

  constructor(file: string, config: VerifierConfig) {
    this.child = fork(file, [], {
      env: {},
      execArgv: [YOUNG_HEAP, `--max-old-space-size=${config.concurrency.workerHeapMegabytes}`],
      serialization: 'advanced',
      // The process reads its input only to see that this one has ended.
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    });
    const lastWords = tailOf(this.child.stderr as Socket);
    this.exited = new Promise((resolve) => {
      const finish = (failure: ProcessEnded) => {
        this.ended = true;
        this.failure = failure;
        this.settle()?.reject(failure);
        resolve();
      };
      this.child.on('error', (error) => finish(new ProcessEnded(false, error)));
      // All output of the child is read when `close` is emitted.
      this.child.once('close', (code, signal) => finish(this.failureOf(code, signal, lastWords())));
    });
    this.child.on('message', (message: Answer | SlotWord | RequestMade) => {
      if (isSlotWord(message)) this.move(message);
      else if (isRequestMade(message)) this.waiting?.onRequest?.(message.gitRequest);
      else this.settle()?.resolve(message);
    });
    this.send(config);
    this.release();
  }

  /** @throws ProcessEnded */
  ask(question: Question, { slot = NO_SLOT, onRequest }: Asked = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(this.failure);
      this.waiting = { resolve, reject, slot, onRequest };
      this.hold();
      this.send({ ...question, reportsRequests: onRequest && true });
    });
  }

  async end(): Promise<void> {
    this.isToEnd = true;
    this.hold();
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private failureOf(code: number | null, signal: NodeJS.Signals | null, lastWords: string): ProcessEnded {
    if (this.isToEnd) return new ProcessEnded(false);
    if (signal === ABORTED_SIGNAL || code === ABORTED_CODE) return new ProcessEnded(true);
    return new ProcessEnded(false, new Error(lastWords || `exit ${signal ?? code}`));
  }

  /** Sends a message. A failure is ignored, because a process that has ended is reported by its exit. */
  private send(message: VerifierConfig | AskedQuestion | SlotResumed): void {
    this.child.send(message, () => undefined);
  }

  private move({ slot: word }: SlotWord | SlotResumed): void {
    const { waiting } = this;
    if (word === 'yielded') {
      waiting?.slot.yield();
    } else if (word === 'wanted') {
      void waiting?.slot.resume().then(() => {
        if (this.waiting === waiting) this.send({ slot: 'resumed' });
      });
    }
  }

  private settle(): Waiting | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    this.release();
    return waiting;
  }

  private hold(): void {
    this.child.ref();
    this.child.channel?.ref();
  }

  private release(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}

/** Reads a stream. @returns a function that returns the last bytes read */
function tailOf(stream: Socket): () => string {
  let tail = '';
  stream.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-LAST_WORDS_MAX)));
  stream.unref();
  return () => tail.trim();
}

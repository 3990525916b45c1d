import type { Slot } from '@plat/fair-slots';
import type { VerifierConfig } from '../config';
import type { Answer, Question } from '../judge/question';
import type { GitRequest } from '../transport/git-request';
import { notVerified } from '../verdict';
import { JudgingProcess, ProcessEnded } from './judging-process';
import { VerifierUnavailable } from './unavailable';

/** Milliseconds beyond a verification's own limit after which its worker counts as stuck in a computation. */
const GRACE_MS = 2_000;
/** How often a question is asked if its worker fails by itself or is killed. */
const ATTEMPTS = 2;

export interface AskOptions {
  /** Ends the worker that is asked. */
  signal?: AbortSignal;
  /** Called with the failure of a worker that failed by itself. */
  onDefect?: (defect: Error) => void;
  /** Called with each request that is made to the remote, for a trace. */
  onRequest?: (request: GitRequest) => void;
  /** The slot that the verification yields while its worker only waits for its remote. */
  slot?: Omit<Slot, 'release'>;
}

/**
 * Processes that judge, one question each at a time. The caller bounds their number (`FairSlots`). An idle worker is
 * ended after a while, which frees the memory of its last question. A worker that exceeds its time or memory is ended,
 * and its question is answered as not judged, so that no remote's data can harm the service itself. If a worker fails
 * by itself or is killed from outside, that says nothing about the remote, so its question is asked once more.
 */
export class WorkerPool {
  /** Idle workers with the timer that ends them. A worker that has not yet answered a question has no timer. */
  private readonly idle = new Map<JudgingProcess, NodeJS.Timeout | undefined>();
  private readonly busy = new Set<JudgingProcess>();
  private keepsReady = false;
  private closed = false;
  /** How many workers have been started. */
  started = 0;

  constructor(
    private readonly file: string,
    private readonly config: VerifierConfig,
  ) {}

  /** Keeps one worker idle from now on, so that no first question waits for a start. */
  keepOneReady(): void {
    this.keepsReady = true;
    this.prepare();
  }

  /** @throws VerifierUnavailable; the signal's reason if it is aborted */
  async ask(question: Question, asking: AskOptions = {}): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      asking.signal?.throwIfAborted();
      if (this.closed) throw new VerifierUnavailable('verifier closed');
      try {
        return await this.askOne(question, asking);
      } catch (error) {
        asking.signal?.throwIfAborted();
        if (!(error instanceof ProcessEnded)) throw error;
        // Other verifications displaced this one, which says nothing about its remote.
        if (asking.slot?.revoked.aborted) {
          throw new VerifierUnavailable('gave way to others', { cause: error });
        }
        if (error.outOfMemory) return notVerified('remote_too_large', error.message);
        if (error.defect) asking.onDefect?.(error.defect);
        else if (!this.closed) return notVerified('remote_unreadable', error.message);
        if (attempt === ATTEMPTS) {
          throw new VerifierUnavailable('verification process lost', { cause: error });
        }
        await asking.slot?.resume();
      }
    }
  }

  /** @throws ProcessEnded without a defect if this pool ended the process */
  private async askOne(question: Question, { signal, slot, onRequest }: AskOptions): Promise<Answer> {
    const worker = this.take();
    this.busy.add(worker);
    const end = () => void worker.end();
    const late = setTimeout(end, this.config.caps.totalMs + GRACE_MS);
    const ends = [signal, slot?.revoked].filter((each) => each !== undefined);
    for (const each of ends) each.addEventListener('abort', end, { once: true });
    try {
      return await worker.ask(question, { slot, onRequest });
    } finally {
      clearTimeout(late);
      for (const each of ends) each.removeEventListener('abort', end);
      this.busy.delete(worker);
      this.keep(worker);
      this.prepare();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.idle.values()) clearTimeout(timer);
    const processes = [...this.idle.keys(), ...this.busy];
    this.idle.clear();
    await Promise.all(processes.map((worker) => worker.end()));
  }

  private prepare(): void {
    if (!this.keepsReady || this.closed || this.idle.size > 0) return;
    this.idle.set(this.start(), undefined);
  }

  private take(): JudgingProcess {
    for (const [worker, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(worker);
      if (!worker.ended) return worker;
    }
    return this.start();
  }

  private start(): JudgingProcess {
    this.started += 1;
    return new JudgingProcess(this.file, this.config);
  }

  private keep(worker: JudgingProcess): void {
    if (worker.ended) return;
    const end = () => {
      this.idle.delete(worker);
      void worker.end();
      this.prepare();
    };
    this.idle.set(worker, setTimeout(end, this.config.concurrency.workerIdleMs).unref());
  }
}

import type { VerifierConfig } from '../config';
import { notVerified } from '../verdict';
import { JudgingProcess, ProcessEnded } from './judging-process';
import type { Answer, Question } from './question';

/** Milliseconds beyond a verification's own limit until its worker counts as stuck in a computation. */
const GRACE_MS = 2_000;

export interface AskOptions {
  /** Ends the worker that is asked. */
  signal?: AbortSignal;
  /** Hears of a worker that failed by itself. */
  onDefect?: (defect: Error) => void;
}

/**
 * Processes that judge, one question each at a time. How many there are is the caller's business (`FairQueue`);
 * a worker without work ends after a while, and what its last question left in memory with it. A worker that runs over
 * its time, its memory or into an error is ended, and its question is answered as not judged: nothing that a remote
 * sends harms the service itself.
 */
export class WorkerPool {
  /** With what will end them; a worker that was not asked yet waits for as long as it takes. */
  private readonly idle = new Map<JudgingProcess, NodeJS.Timeout | undefined>();
  private readonly busy = new Set<JudgingProcess>();
  private keepsReady = false;
  private closed = false;

  constructor(
    private readonly file: string,
    private readonly config: VerifierConfig,
  ) {}

  /** From now on a worker is started as soon as none is left idle, so that no first question waits for its start. */
  keepOneReady(): void {
    this.keepsReady = true;
    this.prepare();
  }

  /** @throws the signal's reason when it is aborted */
  async ask(question: Question, { signal, onDefect = () => undefined }: AskOptions = {}): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.closed) return notVerified('remote_unreadable', 'verifier closed');
    const worker = this.take();
    this.busy.add(worker);
    const end = () => void worker.end();
    const late = setTimeout(end, this.config.caps.totalMs + GRACE_MS);
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await worker.ask(question);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ProcessEnded)) throw error;
      if (error.defect) onDefect(error.defect);
      return notVerified(error.outOfMemory ? 'remote_too_large' : 'remote_unreadable', error.message);
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', end);
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
    this.idle.set(new JudgingProcess(this.file, this.config), undefined);
  }

  private take(): JudgingProcess {
    for (const [worker, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(worker);
      if (!worker.ended) return worker;
    }
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

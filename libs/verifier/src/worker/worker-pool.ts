import type { VerifierConfig } from '../config';
import { notVerified } from '../verdict';
import { JudgingThread, ThreadEnded } from './judging-thread';
import type { Answer, Question } from './question';

/** Milliseconds beyond a verification's own limit until its thread counts as stuck in a computation. */
const GRACE_MS = 2_000;

export interface AskOptions {
  /** Ends the thread that is asked. */
  signal?: AbortSignal;
  /** Hears of a thread that failed by itself. */
  onDefect?: (defect: Error) => void;
}

/**
 * Threads that judge, one question each at a time. How many there are is the caller's business (`FairQueue`);
 * a thread without work ends after a while, and what its last question left in memory with it. A thread that runs over
 * its time, its memory or into an error is ended, and its question is answered as not judged: nothing that a remote
 * sends harms the service itself.
 */
export class WorkerPool {
  /** With what will end them; a thread that was not asked yet waits for as long as it takes. */
  private readonly idle = new Map<JudgingThread, NodeJS.Timeout | undefined>();
  private readonly busy = new Set<JudgingThread>();
  private keepsReady = false;
  private closed = false;

  constructor(
    private readonly file: string,
    private readonly config: VerifierConfig,
  ) {}

  /** From now on a thread is started as soon as none is left idle, so that no first question waits for its start. */
  keepOneReady(): void {
    this.keepsReady = true;
    this.prepare();
  }

  /** @throws the signal's reason when it is aborted */
  async ask(question: Question, { signal, onDefect = () => undefined }: AskOptions = {}): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.closed) return notVerified('remote_unreadable', 'verifier closed');
    const thread = this.take();
    this.busy.add(thread);
    const end = () => void thread.end();
    const late = setTimeout(end, this.config.caps.totalMs + GRACE_MS);
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await thread.ask(question);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ThreadEnded)) throw error;
      if (error.defect) onDefect(error.defect);
      return notVerified(error.outOfMemory ? 'remote_too_large' : 'remote_unreadable', error.message);
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', end);
      this.busy.delete(thread);
      this.keep(thread);
      this.prepare();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.idle.values()) clearTimeout(timer);
    const threads = [...this.idle.keys(), ...this.busy];
    this.idle.clear();
    await Promise.all(threads.map((thread) => thread.end()));
  }

  private prepare(): void {
    if (!this.keepsReady || this.closed || this.idle.size > 0) return;
    this.idle.set(new JudgingThread(this.file, this.config), undefined);
  }

  private take(): JudgingThread {
    for (const [thread, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(thread);
      if (!thread.ended) return thread;
    }
    return new JudgingThread(this.file, this.config);
  }

  private keep(thread: JudgingThread): void {
    if (thread.ended) return;
    const end = () => {
      this.idle.delete(thread);
      void thread.end();
      this.prepare();
    };
    this.idle.set(thread, setTimeout(end, this.config.concurrency.workerIdleMs).unref());
  }
}

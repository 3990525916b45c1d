import { ReadFailure } from './read-failure';

/** The state of a place at a moment. */
export interface Reads<Content> {
  content?: Content | undefined;
  /** Why the last attempt failed; absent if it did not. */
  failure?: ReadFailure | undefined;
  /** When the content was last known to be true. */
  asOf?: Date | undefined;
}

export interface LiveSource<Content> {
  /** @param early takes what can be shown already; it counts only as long as there is nothing else */
  load(signal: AbortSignal, early: (content: Content) => void): Promise<Content>;
  /** Waits for a change of the chief resource of this place. If absent, the place is read again from time to time. */
  awaitChange?: ((signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Whether the place shows only the awaited resource, so that an unchanged answer confirms it. */
  confirms?: boolean;
  /** False: it is read once, and again if the person asks. */
  repeats?: boolean;
}

/** The surroundings that the loop needs, so that it can be driven without a browser. */
export interface Surroundings {
  /** Resolves when the page can be seen, at once if it can. */
  whenVisible(signal: AbortSignal): Promise<void>;
  /** Calls when the page is hidden. @returns a function that ends the calls */
  onHidden(listener: () => void): () => void;
  delay(milliseconds: number, signal: AbortSignal): Promise<void>;
  now(): Date;
}

/** Content that is not awaited at this place, such as a build, is read again after this time. */
const READ_AGAIN_MILLISECONDS = 120_000;
/** Pause after an unchanged answer that came at once: the service does not wait. */
const GENTLE_MILLISECONDS = 10_000;
const AT_ONCE_MILLISECONDS = 1000;
/** Pause between two changes, so that a busy queue does not make the page read without end. */
const BREATH_MILLISECONDS = 500;
const FIRST_RETRY_MILLISECONDS = 1000;
const LAST_RETRY_MILLISECONDS = 15_000;

class Hidden extends Error {}

/**
 * Reads a place, waits for a change, and reads it again, until it is stopped. While the page is hidden it asks nothing;
 * when it is seen again it reads at once. After a failure it tries again, at first after a second.
 */
export class LiveReads<Content> {
  private current: Reads<Content> = {};
  private readonly stopped = new AbortController();
  private step = new AbortController();
  private readAt = -Infinity;
  private failures = 0;

  constructor(
    private readonly source: LiveSource<Content>,
    private readonly surroundings: Surroundings,
    private readonly changed: (reads: Reads<Content>) => void,
  ) {}

  async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      this.step = new AbortController();
      const both = AbortSignal.any([signal, this.step.signal]);
      const endWatch = this.surroundings.onHidden(() => {
        if (this.source.repeats !== false) this.readAt = -Infinity;
        this.step.abort(new Hidden());
      });
      try {
        await this.surroundings.whenVisible(signal);
        await this.round(both);
      } catch (error) {
        if (!both.aborted) await this.fail(error, both).catch(() => undefined);
      } finally {
        endWatch();
      }
    }
  }

  /** Reads again at once, for a person who asks for it. */
  again(): void {
    this.readAt = -Infinity;
    this.failures = 0;
    this.step.abort(new Hidden());
  }

  stop(): void {
    this.stopped.abort(new Hidden());
  }

  private async round(signal: AbortSignal): Promise<void> {
    const { source, surroundings } = this;
    if (this.isDue()) {
      const content = await source.load(signal, (early) => {
        if (this.current.content === undefined && !signal.aborted) this.show({ content: early });
      });
      this.readAt = surroundings.now().getTime();
      this.show({ content, asOf: surroundings.now() });
    }
    if (source.repeats === false) return surroundings.delay(2 ** 31 - 1, signal);
    if (!source.awaitChange) return surroundings.delay(READ_AGAIN_MILLISECONDS, signal);
    const begun = surroundings.now().getTime();
    const differs = await source.awaitChange(signal);
    if (source.confirms) this.show({ ...this.current, asOf: surroundings.now() });
    const atOnce = surroundings.now().getTime() - begun < AT_ONCE_MILLISECONDS;
    if (differs) this.readAt = -Infinity;
    if (atOnce) await surroundings.delay(differs ? BREATH_MILLISECONDS : GENTLE_MILLISECONDS, signal);
  }

  private isDue(): boolean {
    if (this.current.failure !== undefined) return true;
    const age = this.surroundings.now().getTime() - this.readAt;
    return this.source.repeats === false ? this.readAt === -Infinity : age >= READ_AGAIN_MILLISECONDS;
  }

  /** Shows why it failed, together with what was read before, and waits for the next attempt. */
  private async fail(error: unknown, signal: AbortSignal): Promise<void> {
    const failure =
      error instanceof ReadFailure
        ? error
        : new ReadFailure('foreign', `The console failed: ${String(error)}`);
    this.show({ ...this.current, failure });
    this.readAt = -Infinity;
    const wait = Math.min(FIRST_RETRY_MILLISECONDS * 2 ** this.failures, LAST_RETRY_MILLISECONDS);
    this.failures += 1;
    const mayPass =
      failure.kind === 'unreachable' || failure.kind === 'foreign' || failure.kind === 'refused';
    await this.surroundings.delay(mayPass ? wait : READ_AGAIN_MILLISECONDS, signal);
  }

  private show(reads: Reads<Content>): void {
    if (this.stopped.signal.aborted) return;
    if (reads.failure === undefined) this.failures = 0;
    this.current = reads;
    this.changed(reads);
  }
}

/** Closes what has been opened, in reverse order and each once, even if closing another fails. */
export class CleanUp {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private running: Promise<void> | undefined;

  add(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }

  /** Closes everything; further calls wait for the first. @throws AggregateError of what failed to close */
  run(): Promise<void> {
    this.running ??= this.closeAll();
    return this.running;
  }

  private async closeAll(): Promise<void> {
    const faults: unknown[] = [];
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      await step().catch((fault) => faults.push(fault));
    }
    if (faults.length === 0) return;
    const reasons = faults.map((fault) => (fault instanceof Error ? fault.message : String(fault)));
    throw new AggregateError(faults, `Not everything could be stopped cleanly: ${reasons.join('; ')}`);
  }
}

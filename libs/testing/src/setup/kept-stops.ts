type Stop = () => Promise<void>;

/** jest evaluates the setup and the teardown files apart, in one process: only globalThis is shared. */
const shared = globalThis as { platTestStops?: Stop[] };

/** Keeps what stops a server of the run. */
export function keepStop(stop: Stop): void {
  (shared.platTestStops ??= []).push(stop);
}

/** Stops what is kept, the last started first; nothing when the setup did not get as far as starting one. */
export async function stopKept(): Promise<void> {
  for (const stop of (shared.platTestStops ?? []).reverse()) await stop();
  delete shared.platTestStops;
}

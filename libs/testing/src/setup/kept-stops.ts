type Stop = () => Promise<void>;

/** jest evaluates the setup and the teardown files apart, in one process: only globalThis is shared. */
const shared = globalThis as { platTestStops?: Stop[] };

/** Keeps a function that stops a server of the run. */
export function keepStop(stop: Stop): void {
  (shared.platTestStops ??= []).push(stop);
}

/** Stops the servers, the last started first. */
export async function stopKept(): Promise<void> {
  for (const stop of (shared.platTestStops ?? []).reverse()) await stop();
  delete shared.platTestStops;
}

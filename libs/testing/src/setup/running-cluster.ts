type Stop = () => Promise<void>;

/** jest evaluates the setup and the teardown file apart, in one process: only globalThis is shared. */
const shared = globalThis as { platTestClusterStop?: Stop };

export function keepStop(stop: Stop): void {
  shared.platTestClusterStop = stop;
}

/** What stops the run's cluster; does nothing when the setup did not get as far as starting one. */
export async function stopKept(): Promise<void> {
  await shared.platTestClusterStop?.();
  delete shared.platTestClusterStop;
}

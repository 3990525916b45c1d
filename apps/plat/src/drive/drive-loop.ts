import type { DriveContext } from './drive-context';
import type { DriveState, DriveStateFile } from './drive-state';

/** The tools of the loop, which alone writes the state file. Steps see a `DriveContext`, so none can write it. */
export interface DriveLoop extends DriveContext {
  stateFile: DriveStateFile;
}

/**
 * Writes a state in the middle of a step. A step needs it before an effect that the next drive has to
 * recognize after a crash: the begun merge, the gate run, the builds of the review before one is added. The loop itself
 * writes the state that a step returns, so what is pushed is on disk before it is pushed.
 */
export type Store = (state: DriveState) => Promise<void>;

/** A step with one review. It returns the state after it; undefined if what it was to do is out of date. */
export type Step<C = DriveContext, R extends DriveState | undefined = DriveState> = (
  context: C,
  state: DriveState,
  store: Store,
) => Promise<R>;

/** Takes one step. The state that it returns is on disk before the next step begins. An unchanged state is not written. */
export async function takeStep<C, R extends DriveState | undefined>(
  loop: C & Pick<DriveLoop, 'stateFile'>,
  step: Step<C, R>,
  state: DriveState,
): Promise<R> {
  let stored: DriveState = state;
  const store = async (during: DriveState) => {
    await loop.stateFile.write(during);
    stored = during;
  };
  const after = await step(loop, state, store);
  if (after !== undefined && after !== stored) await store(after);
  return after;
}

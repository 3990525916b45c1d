import type { CommandClass } from '../terminal/command-host';
import { Failure } from '../terminal/failure';
import { withFittingNext } from '../terminal/fitting-next';
import { apiFailure } from './api-failure';

/** Runs a command. A failure names no flag that the command does not have. */
export async function runFitting(
  command: { run(): Promise<void> },
  { flags, baseFlags }: Pick<CommandClass, 'flags' | 'baseFlags'>,
): Promise<void> {
  try {
    await command.run();
  } catch (error) {
    const failure = error instanceof Failure ? error : apiFailure(error);
    throw failure ? withFittingNext(failure, Object.keys({ ...baseFlags, ...flags })) : error;
  }
}

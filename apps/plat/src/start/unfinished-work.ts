import { Failure } from '../terminal/failure';

/**
 * Runs the work of this process, and reports it if the process is about to end before: Node ends silently, with exit code 0,
 * once nothing is left that could finish a promise, such as a connection that another program has closed without an event.
 */
export async function reportIfUnfinished(
  work: () => Promise<void>,
  report: (failure: Failure) => void,
): Promise<void> {
  const unfinished = () =>
    report(
      new Failure('INTERNAL_ERROR', 'plat ended before its work was done.', {
        next: 'report this with the command that was run',
      }),
    );
  process.once('beforeExit', unfinished);
  try {
    await work();
  } finally {
    process.off('beforeExit', unfinished);
  }
}

import 'reflect-metadata';
import { parseArguments, type StartArguments, USAGE, UsageError } from './arguments';
import { CleanUp } from './clean-up';
import { withoutRuntimeWarning } from './runtime-warning';

/** Includes SIGHUP, so that closing the terminal stops the database cleanly. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function main(argv: readonly string[]): Promise<void> {
  const given = parseArguments(argv);
  if (given === undefined) process.stdout.write(USAGE);
  else await runUntilStopped(given);
}

/** Runs until a signal asks to stop or the database fails, then closes everything. */
async function runUntilStopped(given: StartArguments): Promise<void> {
  // Loaded only now: help and usage errors need none of it.
  const { startStandalone } = await withoutRuntimeWarning(() => import('./standalone.js'));
  const interrupt = new AbortController();
  const stopAsked = new Promise<void>((resolve) =>
    interrupt.signal.addEventListener('abort', () => resolve()),
  );
  // The services go on if the reader of the output goes away.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  for (const signal of STOP_SIGNALS) process.on(signal, () => interrupt.abort());
  // The watch that started this process has ended, which may have been killed.
  process.once('disconnect', () => interrupt.abort());
  process.channel?.unref();
  const cleanUp = new CleanUp();
  try {
    const { welcome, failed } = await startStandalone(given, cleanUp, interrupt.signal);
    process.stdout.write(welcome);
    await Promise.race([stopAsked, failed]);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
  } finally {
    await cleanUp.run();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${text}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`);
  process.exitCode = 1;
});

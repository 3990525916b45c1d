import { keepLastLog } from '@plat/embedded';
import { createLog, type Log, LogFile, LogOutput } from '@plat/service';
import type { CleanUp } from './clean-up';

/** The log of this run, and where it goes. */
export interface RunLog {
  log: Log;
  output: LogOutput;
}

/** Opens the log of this run: JSON lines in a file, not on the terminal. Keeps the previous log as `<file>.1`. */
export async function openLog(file: string, cleanUp: CleanUp): Promise<RunLog> {
  await keepLastLog(file);
  const target = LogFile.open(file);
  const output = new LogOutput(target);
  cleanUp.add(async () => {
    await output.end();
    target.close();
  });
  return { log: createLog('standalone', 'info', output), output };
}

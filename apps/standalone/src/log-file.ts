import pino from 'pino';
import { keepLastLog } from '@plat/embedded';
import type { Log } from '@plat/service';
import type { CleanUp } from './clean-up';

/** Opens the log of this run: JSON lines in a file, not on the terminal. Keeps the previous log as `<file>.1`. */
export async function openLog(file: string, cleanUp: CleanUp): Promise<Log> {
  await keepLastLog(file);
  const destination = pino.destination({ dest: file, mode: 0o600, sync: false });
  cleanUp.add(
    () =>
      new Promise((resolve) => {
        destination.once('close', () => resolve(undefined));
        destination.end();
      }),
  );
  return pino(
    { level: 'info', base: { service: 'standalone' }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
}

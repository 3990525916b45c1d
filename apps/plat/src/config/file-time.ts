import { stat } from 'node:fs/promises';

/** When a file was last written, in epoch milliseconds; undefined if there is none. */
export async function timeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
}

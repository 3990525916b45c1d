import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Most bytes of a job's output that are shown: a job may print without an end. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/** The output of a job so far, of both streams. */
export interface JobOutput {
  /** Its end, from the beginning of a line, if it is longer than 16 MiB. */
  output: string;
  /** Bytes before that end; absent if the output is whole. */
  bytesLeftOut?: number;
}

/** Reads the end of a job's output, within a bound of memory. */
export async function readJobOutput(path: string): Promise<JobOutput> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    const begin = Math.max(0, size - OUTPUT_BYTES_MAX);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - begin), position: begin });
    const end = buffer.subarray(0, bytesRead);
    if (begin === 0) return { output: end.toString('utf8') };
    const line = end.indexOf(NEWLINE) + 1;
    return { output: end.subarray(line).toString('utf8'), bytesLeftOut: begin + line };
  } finally {
    await file.close();
  }
}

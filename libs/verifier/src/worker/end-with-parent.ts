import { Worker } from 'node:worker_threads';

/** The thread's program. It reads the standard input, into which nothing is written and which ends with its other side. */
const WATCH = `const { Socket } = require('node:net');
const end = () => process.kill(process.pid, 'SIGKILL');
new Socket({ fd: 0, readable: true, writable: false }).on('error', end).on('close', end).resume();`;

/** The thread holds a socket, and nothing else. */
const MEGABYTES = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8, stackSizeMb: 1 };

/**
 * Ends this process with the one that started it, whatever ends that: a pipe is its standard input, whose other side the
 * parent alone has. A thread watches it, since the process itself hears nothing while it computes.
 */
export function endWithParent(): void {
  new Worker(WATCH, { eval: true, env: {}, execArgv: [], resourceLimits: MEGABYTES }).unref();
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { spawn } from '../starter/child-process';

export interface ServerProcessOptions {
  program: string;
  args: string[];
  /** Matches the server's output on stdout or stderr once it can be used. */
  ready: RegExp;
  /** The whole environment; default that of this process. */
  env?: Record<string, string>;
}

/** A server of other people's, started by a test. */
export interface ServerProcess {
  pid: number;
  /** All its output so far. */
  said(): string;
  /** Waits for new output that matches. Call it before the action that causes the output. */
  says(pattern: RegExp): Promise<void>;
  /** Sends it a signal. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it by its own pid, and waits until it is gone. */
  stop(): Promise<void>;
}

/** The kernel ends the server when this process ends for any reason. */
const WITH_PARENT = ['--pdeathsig', 'KILL'];

/**
 * Starts a server and waits until it says that it can be used. It ends with this process at the latest.
 *
 * @throws Error with its output if it ends before
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { program, args, ready, env } = options;
  const child = spawn('setpriv', [...WITH_PARENT, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const ended = once(child, 'close');
  let words = '';
  const isReady = new Promise<void>((resolve) => {
    const hear = (chunk: Buffer) => {
      words += chunk.toString();
      if (ready.test(words)) resolve();
    };
    outputs(child).forEach((output) => output.on('data', hear));
  });
  await Promise.race([
    isReady,
    ended.then(([code, signal]) => {
      throw new Error(`${program} ended before it was ready (${code ?? signal}):\n${words}`);
    }),
  ]);
  return {
    pid: child.pid!,
    said: () => words,
    says: (pattern) => {
      const from = words.length;
      return new Promise((resolve) => {
        const hear = () => {
          if (!pattern.test(words.slice(from))) return;
          outputs(child).forEach((output) => output.off('data', hear));
          resolve();
        };
        outputs(child).forEach((output) => output.on('data', hear));
      });
    },
    signal: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const outputs = ({ stdout, stderr }: ChildProcess) => [stdout!, stderr!];

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { ServiceName } from '@plat/contracts/core';
import { workspaceRoot } from '@plat/local';
import { execFile, spawn } from '../starter/child-process';
import { serviceEnvironment } from './service-environment';

const outdir = (name: ServiceName) => join(workspaceRoot(), 'dist', 'spec', name);

/** A service as it is deployed: a process of its own, on loopback and a port that was free. */
export interface ServiceProcess {
  child: ChildProcess;
  /** Base address, without a slash at the end. */
  url: string;
  /** Exit code and signal. */
  exited: Promise<[number | null, NodeJS.Signals | null]>;
}

/**
 * Builds a service as `npm run build` does, unless an earlier spec or run has built it from the same sources.
 * @paths apps/reviews/src/main.ts apps/builds/src/main.ts apps/releases/src/main.ts apps/audit/src/main.ts
 * @paths apps/platform/src/main.ts
 */
export async function buildService(name: ServiceName): Promise<void> {
  const args = [join(workspaceRoot(), 'tools', 'build', 'fresh-project.mjs'), `apps/${name}`, outdir(name)];
  await promisify(execFile)(process.execPath, args, { cwd: workspaceRoot() });
}

/** Starts a built service and waits for nothing. The service does not inherit this process's environment. */
export function launchService(
  name: ServiceName,
  environment: Record<string, string>,
  args: readonly string[] = [],
): ChildProcess {
  const env = environmentOf(environment);
  return spawn(process.execPath, [join(outdir(name), 'main.js'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts a built service whose stdout is a file that takes nothing, as on a full disk. */
export function launchOnFullDisk(name: ServiceName, environment: Record<string, string>): ChildProcess {
  const program = [process.execPath, join(outdir(name), 'main.js')];
  return spawn('sh', ['-c', 'exec "$0" "$1" > /dev/full', ...program], {
    env: environmentOf(environment),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

const environmentOf = (given: Record<string, string>): Record<string, string> =>
  serviceEnvironment({ ALLOW_HTTP_ISSUERS: 'true', ...given });

/** Starts a built service and waits until it listens. @throws Error if it ends before that */
export async function startService(
  name: ServiceName,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const child = launchService(name, environment);
  const exited = once(child, 'exit') as ServiceProcess['exited'];
  return { child, exited, url: await addressOf(child) };
}

/**
 * Starts a built service that logs into a named pipe, and a `cat` that reads from it and whose output the test reads.
 * spawn would use a socket, which fails and fills up in other ways than a pipe.
 */
export async function startPiped(
  name: ServiceName,
  environment: Record<string, string>,
): Promise<ServiceProcess & { reader: ChildProcess }> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-pipe-'));
  const fifo = join(folder, 'log');
  await promisify(execFile)('mkfifo', [fifo]);
  const reader = spawn('cat', [fifo], { stdio: ['ignore', 'pipe', 'ignore'] });
  const child = spawn(
    'sh',
    ['-c', 'exec "$0" "$1" > "$2"', process.execPath, join(outdir(name), 'main.js'), fifo],
    { env: environmentOf(environment), stdio: 'ignore' },
  );
  const exited = once(child, 'exit') as ServiceProcess['exited'];
  const url = await addressOf(reader);
  await rm(folder, { recursive: true });
  return { child, exited, reader, url };
}

/** The address that a service logs once it listens. Later output is read and dropped. */
export async function addressOf(child: ChildProcess): Promise<string> {
  const lines = createInterface(child.stdout!);
  const address = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const { address: found } = JSON.parse(line) as { address?: string };
      if (found) resolve(found);
    });
    lines.once('close', () => reject(new Error('the service ended without listening')));
  });
  return address;
}

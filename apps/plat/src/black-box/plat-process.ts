import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { execFile, runHostedCommand, spawn } from '@plat/testing';

const BUILD = join(__dirname, '..', '..', 'build.mjs');
const HOST = join(__dirname, 'client-host.cjs');
/** Node and its libraries read these variables when a process starts. */
const READ_AT_START = /^(?:NODE_|LANG$|LC_|TZ$|SSL_|OPENSSL_|UV_)/;
/** The PATH of the test's processes. */
export const PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/** Variables of a client that reaches no host but this machine: nothing listens on the port of the proxy. */
export const WITHOUT_INTERNET = { https_proxy: 'http://127.0.0.1:9', no_proxy: '127.0.0.1,localhost' };

/** Milliseconds of a case: each starts processes, which is slow on a busy machine. */
jest.setTimeout(60_000);

/** The result of a run of the client. */
export interface PlatRun {
  code: number | null;
  stdout: string;
  stderr: string;
  /** stdout as the one JSON value that `--json` promises. */
  json<T = Record<string, unknown>>(): T;
}

export interface PlatOptions {
  /** Default: the home. */
  cwd?: string;
  /** Written to stdin; without it stdin is empty. `silent`: a pipe that is neither written nor closed. */
  input?: string | { silent: true };
  env?: Record<string, string>;
  /** Runs the client as a process of its own: the case is about what only a process has. */
  ownProcess?: boolean;
}

let entry: Promise<string> | undefined;

/** The built client, built first if it is stale. */
export function builtPlat(): Promise<string> {
  entry ??= promisify(execFile)(process.execPath, [BUILD, '--if-stale']).then(({ stdout }) => stdout.trim());
  return entry;
}

/** A person's machine: a home of its own, in which the built client is run as a process. */
export class Machine {
  private constructor(readonly home: string) {}

  static async create(): Promise<Machine> {
    await builtPlat();
    const machine = new Machine(await mkdtemp(join(tmpdir(), 'plat-home-')));
    await mkdir(machine.temporary);
    return machine;
  }

  /** Its folder for temporary files: a client that is killed leaves some, which go with the machine. */
  private get temporary(): string {
    return join(this.home, '.tmp');
  }

  /** Where the client keeps its configuration. */
  get configFolder(): string {
    return join(this.home, '.config', 'plat');
  }

  /**
   * Runs the client to its end, without its notes on slow steps, which depend on the machine's load. It runs in a process
   * that runs many command lines, unless the case needs one of its own.
   */
  async plat(args: readonly string[], options: PlatOptions = {}): Promise<PlatRun> {
    const env = { PLAT_IDLE_PROBE: 'true', ...options.env };
    const needsProcess =
      options.ownProcess === true || typeof options.input === 'object' || isReadAtStart(env);
    const run = needsProcess ? undefined : await this.runHosted(args, { ...options, env });
    return run ?? ended(await this.start(args, { ...options, env }));
  }

  private async runHosted(args: readonly string[], { cwd = this.home, env, input }: PlatOptions) {
    const host = [HOST, dirname(await builtPlat())] as const;
    const given = typeof input === 'string' ? input : undefined;
    const run = await runHostedCommand({ host, args, cwd, env: this.environment(env), input: given });
    // The host's -1 is a client that a signal ended.
    return run && withJson({ ...run, code: run.code === -1 ? null : run.code });
  }

  private environment(more: Record<string, string> = {}): Record<string, string> {
    return { PATH, HOME: this.home, TMPDIR: this.temporary, ...more };
  }

  /** Starts the client and leaves it running. */
  async start(args: readonly string[], { cwd, input, env }: PlatOptions = {}): Promise<ChildProcess> {
    const child = spawn(process.execPath, [await builtPlat(), ...args], {
      cwd: cwd ?? this.home,
      env: this.environment(env),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    if (typeof input === 'string') child.stdin?.end(input);
    return child;
  }

  async remove(): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
  }
}

/** Waits until stderr of a started client matches, and returns the match. @throws when it ends before */
export function said(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const match = pattern.exec(text);
      if (match) resolve(match);
    });
    child.once('close', () => reject(new Error(`plat ended without saying ${pattern}:\n${text}`)));
  });
}

/** Waits for the end of a started client. */
export async function ended(child: ChildProcess): Promise<PlatRun> {
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return withJson({ code, stdout: stdout(), stderr: stderr() });
}

function withJson(run: Omit<PlatRun, 'json'>): PlatRun {
  return { ...run, json: <T>() => JSON.parse(run.stdout) as T };
}

const isReadAtStart = (env: Record<string, string>) =>
  Object.keys(env).some((name) => READ_AT_START.test(name));

function collected(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return () => text;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { childVariables } from '../environment';
import { endWithStarted } from '../processes/end-process';
import { Failure } from '../terminal/failure';
import { withoutUserinfo } from '../terminal/printable';
import { shellQuote } from '../terminal/shell-quote';
import { trace } from '../terminal/trace';
import { removeLeftLocks } from './left-locks';

/** What one git command answered. */
export interface GitAnswer {
  code: number;
  stdout: string;
  /** Without the user names and passwords that a remote's address may carry. */
  stderr: string;
}

/** git in one folder. */
export interface Git {
  folder: string;
  /** Runs git and returns what it answered, whatever the exit code. @param input written to its stdin */
  try(args: readonly string[], input?: string): Promise<GitAnswer>;
  /** Runs git and returns its stdout. @throws Failure GIT_FAILED when git exits with another code than 0 */
  run(args: readonly string[], input?: string): Promise<string>;
}

/** git's own exit code when it dies. */
const GIT_FATAL = 128;

/** How long the end of what a stopped git had started is waited for: it may hold locks of the checkout. */
const LEFT_OVER_MILLISECONDS_MAX = 3000;

/** Settings of a user that would change what a step does, what it sees of the files, or what it prints. */
const STEADY = [
  ['rerere.enabled', 'false'],
  ['log.showSignature', 'false'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  ['core.quotePath', 'false'],
  // git push prints what it pushed in full.
  ['core.abbrev', 'no'],
  ['core.fsmonitor', 'false'],
  ['core.ignoreStat', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/**
 * No hook may touch what is merged, nor the checkout. A push alone runs them: what a person's pre-push hook refuses stays
 * here, and the one of git-lfs uploads the files that the pushed commit names.
 */
const WITHOUT_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

/**
 * Messages are compared, so they must not be translated. Commits are as they are pushed, without the replacements and
 * grafts by which somebody sees others here. Everything else is the user's.
 */
const VARIABLES = { LC_ALL: 'C', LANGUAGE: '', GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null' };

/**
 * @param folder where git is run; the commands work on the checkout that it lies in
 * @param interrupted stops the git that runs when it happens, and starts no other
 */
export function gitIn(folder: string, interrupted?: AbortSignal): Git {
  const attempt = async (args: readonly string[], input?: string): Promise<GitAnswer> => {
    interrupted?.throwIfAborted();
    const began = Date.now();
    trace(shellQuote(['git', ...args]));
    const answer = await spawnGit(folder, args, { input, interrupted });
    trace(`git ended with ${answer.code} after ${Date.now() - began} ms`, answer.stderr.trim());
    if (interrupted?.aborted) await unlockAfter(folder, began);
    interrupted?.throwIfAborted();
    return answer;
  };
  return {
    folder,
    try: attempt,
    async run(args, input) {
      const answer = await attempt(args, input);
      if (answer.code !== 0) throw gitFailure(args, answer);
      return answer.stdout;
    },
  };
}

/** Frees what a stopped git had locked. @param began when it was started */
async function unlockAfter(folder: string, began: number): Promise<void> {
  const { code, stdout } = await spawnGit(folder, ['rev-parse', '--git-dir', '--git-common-dir']);
  if (code !== 0) return;
  const [own = '', common = own] = stdout
    .trimEnd()
    .split('\n')
    .map((path) => resolve(folder, path));
  await removeLeftLocks({ own, common }, began);
}

/** A git command that was expected to succeed and did not. */
export function gitFailure(args: readonly string[], answer: GitAnswer): Failure {
  const said = answer.stderr.trim() || `it exited with ${answer.code}`;
  return new Failure('GIT_FAILED', `${shellQuote(['git', ...args])} failed: ${said}`, {
    details: { command: ['git', ...args], gitExitCode: answer.code },
  });
}

interface Spawning {
  input?: string;
  interrupted?: AbortSignal;
}

function spawnGit(
  folder: string,
  args: readonly string[],
  { input, interrupted }: Spawning = {},
): Promise<GitAnswer> {
  return new Promise((answered, reject) => {
    const hooks = args[0] === 'push' ? [] : WITHOUT_HOOKS;
    const child = spawn('git', [...STEADY, ...hooks, ...args], {
      cwd: folder,
      env: childVariables(VARIABLES),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const stop = () => {
      void endWithStarted(child);
      const close = () => setTimeout(() => closeStreams(child), LEFT_OVER_MILLISECONDS_MAX).unref();
      if (child.exitCode === null && child.signalCode === null) child.once('exit', close);
      else close();
    };
    interrupted?.addEventListener('abort', stop, { once: true });
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    child.once('error', (error) => reject(notRunnable(error, folder)));
    // Not before its end: git gives back its locks when it is stopped.
    child.once('close', (code) => {
      interrupted?.removeEventListener('abort', stop);
      answered({ code: code ?? GIT_FATAL, stdout: stdout(), stderr: withoutUserinfo(stderr()) });
    });
    // git may end without reading its input: its exit code tells why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** What git had started and does not end when it is told to may hold them open for as long as it runs. */
function closeStreams({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
}

function textOf(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

function notRunnable(error: Error, folder: string): Failure {
  return new Failure('GIT_NOT_RUNNABLE', `git cannot be run in ${folder}: ${error.message}.`, {
    next: 'install git and make sure that it is on the PATH',
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { childVariables } from '../environment';
import { endWithStarted } from '../processes/end-process';
import { Failure } from '../terminal/failure';
import { withoutCredentials } from '../terminal/printable';
import { shellQuote } from '../terminal/shell-quote';
import { trace } from '../terminal/trace';
import { keepStderr, keepStdout } from './git-output';
import { removeLeftLocks } from './left-locks';
import { SILENCE, SILENCE_OF_SUBMODULES, type SilenceBounds, watchSilence } from './silence';
import { nextAfterUntrustedRemote } from './untrusted-remote';

/** The answer of one git command. */
export interface GitAnswer {
  code: number;
  stdout: string;
  /** Without the user names and passwords of remote addresses. */
  stderr: string;
  /** The signal that ended git, such as SIGABRT after a failed assertion of its own; undefined if it exited. */
  signal?: NodeJS.Signals | undefined;
}

/** git in one folder. */
export interface Git {
  folder: string;
  /** Changes to the user's own variables; undefined: without the variable. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Stops the running git, and prevents any later one. */
  interrupted?: AbortSignal | undefined;
  /**
   * Runs git and returns its answer for any exit code. Of a long stderr only the end is kept.
   *
   * @param input written to its stdin
   * @throws Failure GIT_OUTPUT_TOO_LARGE, REMOTE_SILENT, as the others do
   */
  try(args: readonly string[], input?: string | Buffer): Promise<GitAnswer>;
  /** Runs git and returns its stdout. @throws Failure GIT_FAILED if git exits with another code than 0 */
  run(args: readonly string[], input?: string): Promise<string>;
  /** The same for a stdout that need not be UTF-8. @throws Failure GIT_FAILED */
  bytes(args: readonly string[], input?: string): Promise<Buffer>;
}

/** git's exit code for a fatal error. */
const GIT_FATAL = 128;

/** Longest wait for the processes of a stopped git, which may hold locks of the checkout. */
const LEFT_OVER_MILLISECONDS_MAX = 3000;

/** Settings that override a user's own, which could change what a step does, sees of the files, or prints. */
const STEADY = [
  ['rerere.enabled', 'false'],
  ['log.showSignature', 'false'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  // The name of a review is UTF-8, so the squash commit must not declare another encoding.
  ['i18n.commitEncoding', 'UTF-8'],
  // The gate updates submodules itself, and fetches what they lack. git would discard a person's changes in them.
  ['submodule.recurse', 'false'],
  ['core.quotePath', 'false'],
  // Otherwise git push prints only an abbreviation of what it pushed.
  ['core.abbrev', 'no'],
  ['core.fsmonitor', 'false'],
  // A submodule's address comes from a branch that is not merged yet. This transport runs any command.
  ['protocol.ext.allow', 'never'],
  ['core.ignoreStat', 'false'],
  // git reads a submodule's untracked files by this setting alone, whatever option the command has.
  ['status.showUntrackedFiles', 'normal'],
  // A branch can have a folder that is a bare repository, whose settings name commands. git would take it for the
  // repository of everything below it.
  ['safe.bareRepository', 'explicit'],
  // Otherwise git prints a long advice about the grafts file before the reason of a failure.
  ['advice.graftFileDeprecated', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/**
 * No hook may change the merge or the checkout. Only a push runs hooks: a person's pre-push hook may refuse the push,
 * and the hook of git-lfs uploads the files that the pushed commit names. `withoutBranchHook` leaves out those of a branch.
 */
const WITHOUT_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

/**
 * The client compares messages of git, so they must not be translated. Commits are read as they are pushed, without
 * the replacements and grafts that a person may have set. All other variables are the user's.
 */
const VARIABLES = { LC_ALL: 'C', LANGUAGE: '', GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null' };

/**
 * @param folder where git runs; the commands work on its checkout
 * @param interrupted stops the running git, and prevents any later one
 * @param variables changes to the user's own, such as another index; undefined: without the variable
 */
export function gitIn(folder: string, interrupted?: AbortSignal, variables: Git['variables'] = {}): Git {
  const attempt = async (args: readonly string[], input?: string | Buffer): Promise<RawAnswer> => {
    interrupted?.throwIfAborted();
    const began = Date.now();
    trace(shellQuote(['git', ...args]));
    const answer = await spawnGit(folder, args, { input, interrupted, variables });
    trace(`git ended with ${answer.code} after ${Date.now() - began} ms`, answer.stderr.trim());
    if (interrupted?.aborted) await unlockAfter(folder, variables, began);
    interrupted?.throwIfAborted();
    return answer;
  };
  const succeed = async (args: readonly string[], input?: string): Promise<Buffer> => {
    const answer = await attempt(args, input);
    if (answer.code !== 0) throw gitFailure(args, asText(answer));
    return answer.stdout;
  };
  return {
    folder,
    variables,
    interrupted,
    try: async (args, input) => asText(await attempt(args, input)),
    run: async (args, input) => (await succeed(args, input)).toString('utf8'),
    bytes: succeed,
  };
}

/** git in the same checkout, with another signal. @param more changes to its variables */
export function gitLike(
  { folder, variables }: Git,
  interrupted?: AbortSignal,
  more: Git['variables'] = {},
): Git {
  return gitIn(folder, interrupted, { ...variables, ...more });
}

/**
 * git in a worktree into which code of a gate can write. git gets both folders by name, so that it does not read the
 * worktree's `.git`, which the code can replace by one that names a repository of its own.
 *
 * @param gitFolder of the worktree, inside that of its repository
 */
export function gitInWorktree(folder: string, gitFolder: string, interrupted?: AbortSignal): Git {
  return gitIn(folder, interrupted, { GIT_DIR: gitFolder, GIT_WORK_TREE: folder });
}

/** An answer with the bytes that git printed. */
interface RawAnswer extends Omit<GitAnswer, 'stdout'> {
  stdout: Buffer;
}

const asText = ({ stdout, ...answer }: RawAnswer): GitAnswer => ({
  ...answer,
  stdout: stdout.toString('utf8'),
});

/** Removes the locks of a stopped git. @param began when it was started */
async function unlockAfter(folder: string, variables: Git['variables'], began: number): Promise<void> {
  const asked = ['rev-parse', '--git-dir', '--git-common-dir'];
  const { code, stdout } = await spawnGit(folder, asked, { variables });
  if (code !== 0) return;
  const [own = '', common = own] = stdout
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((path) => resolve(folder, path));
  await removeLeftLocks({ own, common }, began);
}

/** The failure of a git command that was expected to succeed. */
export function gitFailure(args: readonly string[], answer: GitAnswer): Failure {
  const said = answer.stderr.trim() || `it exited with ${answer.code}`;
  return new Failure('GIT_FAILED', `${shellQuote(['git', ...args])} failed: ${said}`, {
    details: { command: ['git', ...args], gitExitCode: answer.code, gitSignal: answer.signal },
    next: nextAfterUntrustedRemote(said),
  });
}

interface Spawning {
  input?: string | Buffer;
  interrupted?: AbortSignal | undefined;
  variables?: Git['variables'];
  /** Bounds of a command that talks to a remote; default those of such a remote. */
  silence?: SilenceBounds;
}

/** Commands that talk to a remote, whose silence is bounded. */
export const REMOTE_COMMANDS: readonly string[] = ['fetch', 'ls-remote', 'push', 'submodule'];

/** The bounds of a command that talks to a remote. One that runs in the folder of a submodule talks to the submodule's. */
export function boundsFor(args: readonly string[]): SilenceBounds {
  const isInSubmodule = args[0] === '-C' && args[1] !== '.';
  return isInSubmodule || args.includes('submodule') ? SILENCE_OF_SUBMODULES : SILENCE;
}

/** Runs git once. @throws Failure GIT_NOT_RUNNABLE, GIT_OUTPUT_TOO_LARGE, REMOTE_SILENT */
export function spawnGit(
  folder: string,
  args: readonly string[],
  { input, interrupted, variables, silence = boundsFor(args) }: Spawning = {},
): Promise<RawAnswer> {
  return new Promise((answered, reject) => {
    const hooks = args[0] === 'push' ? [] : WITHOUT_HOOKS;
    const child = spawn('git', [...STEADY, ...hooks, ...args], {
      cwd: folder,
      env: childVariables({ ...VARIABLES, ...variables }),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const stop = () => {
      void endWithStarted(child);
      const close = () => setTimeout(() => closeStreams(child), LEFT_OVER_MILLISECONDS_MAX).unref();
      if (child.exitCode === null && child.signalCode === null) child.once('exit', close);
      else close();
    };
    interrupted?.addEventListener('abort', stop, { once: true });
    let refused: Failure | undefined;
    const refuse = (failure: Failure) => {
      refused ??= failure;
      stop();
    };
    const exceeded = (stream: string) => () => refuse(outputTooLarge(args, stream));
    const endWatch = args.some((arg) => REMOTE_COMMANDS.includes(arg))
      ? watchSilence(child.pid, silence, refuse)
      : () => undefined;
    const stdout = keepStdout(child.stdout, exceeded('stdout'));
    // A push is never ended for what its hooks print.
    const stderr = keepStderr(child.stderr, args[0] === 'push' ? undefined : exceeded('stderr'));
    child.once('error', (error) => reject(notRunnable(error, folder)));
    // Answers only after git has ended, because a stopped git still removes its locks.
    child.once('close', (code, signal) => {
      interrupted?.removeEventListener('abort', stop);
      endWatch();
      if (refused !== undefined) return reject(refused);
      const said = withoutCredentials(stderr.bytes().toString('utf8'));
      const ended = signal === null ? {} : { signal };
      answered({ code: code ?? GIT_FATAL, stdout: stdout.bytes(), stderr: said, ...ended });
    });
    // git may end without reading its input; its exit code gives the reason.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Closes the streams, which processes that git started may hold open for as long as they run. */
function closeStreams({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
}

/** Whether git was ended because it printed more than is kept. */
export function isOutputTooLarge(error: unknown): boolean {
  return error instanceof Failure && error.code === 'GIT_OUTPUT_TOO_LARGE';
}

function outputTooLarge(args: readonly string[], stream: string): Failure {
  return new Failure(
    'GIT_OUTPUT_TOO_LARGE',
    `${shellQuote(['git', ...args])} printed too much on ${stream}.`,
    {
      details: { command: ['git', ...args], stream },
      next: 'run the command by hand to see what it prints; a hostile remote can send messages without an end',
    },
  );
}

function notRunnable(error: Error, folder: string): Failure {
  return new Failure('GIT_NOT_RUNNABLE', `git cannot be run in ${folder}: ${error.message}.`, {
    next: 'install git and make sure that it is on the PATH',
  });
}

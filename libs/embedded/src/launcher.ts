import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import type { Binaries } from './binaries';
import { ClusterError } from './cluster-error';
import type { ClusterUser } from './cluster-user';

const run = promisify(execFile);

/** A fixed environment, so that neither PG* variables nor secrets of this process reach the server. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };

const PARENT_DEATH = ['--pdeathsig', 'INT'];
/**
 * Lets another user's process reach binaries and data below a 0700 folder, such as a clone under /root. The secure
 * bit extends that to access(2), by which PostgreSQL's programs look at their own binary.
 */
const REACH_EVERYTHING = [
  ...['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'],
  ...['--securebits', '+no_setuid_fixup'],
];

/** One way to run a PostgreSQL program as the right user. */
export interface Launcher {
  /** Runs to the end. @throws with stderr when it fails. */
  run(program: string, args: readonly string[]): Promise<void>;
  /** Starts a server in a process group of its own: Ctrl-C reaches this process alone, which then stops the server. */
  start(program: string, args: readonly string[]): ChildProcess;
}

/** A command before the program, and the uid and gid that spawn switches to. */
interface Way {
  prefix: readonly string[];
  credentials: Partial<ClusterUser>;
}

/**
 * Picks the best way that works here. With setpriv the server also gets the parent-death signal: a
 * SIGINT, PostgreSQL's fast shutdown, so that kill -9 of this process leaves no server behind.
 *
 * @throws ClusterError when the binaries cannot be run in any way.
 */
export async function chooseLauncher(binaries: Binaries, user: ClusterUser | undefined): Promise<Launcher> {
  let failure: unknown;
  for (const way of waysFor(user)) {
    const launcher = launcherOf(way);
    try {
      await launcher.run(binaries.postgres, ['--version']);
      return launcher;
    } catch (error) {
      failure = error;
    }
  }
  const who = user ? `user id ${user.uid}` : 'the current user';
  throw new ClusterError(
    `The PostgreSQL binary ${binaries.postgres} cannot be run as ${who}: ${reasonOf(failure)}`,
    { cause: failure },
  );
}

function waysFor(user: ClusterUser | undefined): Way[] {
  if (!user) {
    return [
      { prefix: ['setpriv', ...PARENT_DEATH], credentials: {} },
      { prefix: [], credentials: {} },
    ];
  }
  const become = ['setpriv', '--reuid', `${user.uid}`, '--regid', `${user.gid}`, '--clear-groups'];
  return [
    { prefix: [...become, ...REACH_EVERYTHING, ...PARENT_DEATH], credentials: {} },
    { prefix: [...become, ...PARENT_DEATH], credentials: {} },
    { prefix: [], credentials: user },
  ];
}

function launcherOf({ prefix, credentials }: Way): Launcher {
  // The other user may not be able to read the present folder; it can always read "/".
  const options = { ...credentials, env: ENVIRONMENT, cwd: '/' };
  const split = (program: string, args: readonly string[]): [string, string[]] => {
    const [command = program, ...rest] = [...prefix, program, ...args];
    return [command, rest];
  };
  return {
    async run(program, args) {
      await run(...split(program, args), options);
    },
    start(program, args) {
      return spawn(...split(program, args), {
        ...options,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    },
  };
}

/** The reason of a failed run: the program's output if there is any, else the system's error. */
export function reasonOf(error: unknown): string {
  const said = (error as { stderr?: unknown }).stderr;
  if (typeof said === 'string' && said.trim()) return said.trim();
  return error instanceof Error ? error.message : String(error);
}

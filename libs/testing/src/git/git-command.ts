import { runCommand } from '../setup/commands/run-command';
import { quickGitVariables } from './quick-git';

/**
 * The environment of a git command in a test: nothing of the person's own configuration, fixed people, and
 * dates that the caller may set (`GIT_AUTHOR_DATE`, `GIT_COMMITTER_DATE`).
 */
export function gitEnvironment(more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
    GIT_TERMINAL_PROMPT: '0',
    ...quickGitVariables(),
    ...more,
  };
}

export class GitCommandFailed extends Error {
  constructor(
    readonly exitCode: number,
    command: string,
    stderr: string,
    /** The output of the failed command: `git merge-tree` fails on a conflict and still prints the tree. */
    readonly stdout = '',
  ) {
    super(`git ${command}: exit ${exitCode}\n${stderr}`);
  }
}

interface GitOptions {
  environment?: Record<string, string>;
  input?: string | Buffer;
}

/**
 * Runs git and returns its standard output without the last newline.
 * @throws GitCommandFailed
 */
export const git = (directory: string, args: readonly string[], options: GitOptions = {}): Promise<string> =>
  run(['git', ...args], directory, options);

/**
 * Runs a line of a shell in git's environment, with arguments as "$@". A shell starts several commands in less time than
 * the server of commands starts each.
 * @throws GitCommandFailed
 */
export const gitLine = (
  directory: string,
  [line, ...args]: readonly [string, ...string[]],
  options: GitOptions = {},
): Promise<string> => run(['sh', '-c', line, 'sh', ...args], directory, options);

async function run(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  { environment = {}, input = '' }: GitOptions,
): Promise<string> {
  const { code, stdout, stderr } = await runCommand({
    program,
    args,
    cwd,
    env: gitEnvironment(environment),
    input: Buffer.from(input).toString('base64'),
  });
  if (code !== 0) throw new GitCommandFailed(code, args.join(' '), stderr, stdout);
  return stdout.replace(/\n$/, '');
}

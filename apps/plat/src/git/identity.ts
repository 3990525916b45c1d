import { Failure } from '../terminal/failure';
import type { Git } from './git';

/**
 * Reads whose commits git makes here. git's own rules decide, such as `user.useConfigOnly`.
 *
 * @returns name and address
 * @throws Failure NO_IDENTITY
 */
export async function requireIdentity(git: Git): Promise<string> {
  for (const variable of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const answer = await git.try(['var', variable]);
    if (answer.code === 0) continue;
    const why = answer.stderr.trim().split('\n').at(-1) ?? '';
    throw new Failure('NO_IDENTITY', `git does not know whose commits these are: ${why}.`, {
      next: 'git config user.name "<your name>", and git config user.email <your address>; then repeat the command',
    });
  }
  const { stdout } = await git.try(['var', 'GIT_COMMITTER_IDENT']);
  return stdout.trim().replace(/ \d+ [+-]\d{4}$/, '');
}

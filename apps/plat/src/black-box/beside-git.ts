import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { type Machine, PATH } from './plat-process';

/**
 * Runs a shell command once, just before the client's own git runs a step, as a person who works at the same time does.
 *
 * @param step the git command, or an argument of it
 * @returns the variables with which to start the client
 */
export async function besideGit(
  machine: Machine,
  step: string,
  command: string,
): Promise<Record<string, string>> {
  const git = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.trim();
  const programs = join(machine.home, 'programs');
  await mkdir(programs);
  // The client's git may work in another repository, which its variables name; the person's git does not.
  const others = '$(git rev-parse --local-env-vars) GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_ATTR_NOSYSTEM';
  const own = `git() ( unset -f git; unset ${others}; git "$@" )`;
  const once = `test -e '${programs}/done' || { touch '${programs}/done'; PATH="${PATH}"; ${own}; ${command}; } >&2`;
  const script = `#!/bin/sh\ncase " $* " in *" ${step} "*) ${once};; esac\nexec ${git} "$@"\n`;
  await writeFile(join(programs, 'git'), script, { mode: 0o755 });
  return { PATH: `${programs}:${PATH}` };
}

import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gitIn } from '../git/git';

/** git's settings in the mount. */
const SETTINGS = 'config';

/**
 * Has git use the settings that the deploy has mounted: who commits, and how it signs in to the remote. They are included
 * at the top of the first file of settings that git reads of a user's, so whatever a person sets in the pod wins over
 * them. A later deploy changes the mounted file alone.
 *
 * @param configFolder of the client, which has git's folder next to it
 * @returns a sentence for the pod's log
 */
export async function seedGit({
  mount,
  configFolder,
}: {
  mount: string;
  configFolder: string;
}): Promise<string> {
  const settings = join(mount, SETTINGS);
  if (!existsSync(settings)) {
    return 'git has neither a person nor a credential from the deploy: plat init --git-identity and --git-credential name them.';
  }
  const path = join(dirname(configFolder), 'git', 'config');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const include = `[include]\n\tpath = ${settings}\n`;
  if (!text.startsWith(include)) {
    await mkdir(dirname(path), { recursive: true });
    // A boot that is killed leaves the file as it was.
    await writeFile(`${path}.new`, `${include}${text}`);
    await rename(`${path}.new`, path);
  }
  return `git uses the settings in ${mount}.`;
}

/** The command for ssh of git's own settings; undefined if they have none. */
export async function readSshCommand(interrupted: AbortSignal): Promise<string | undefined> {
  const { code, stdout } = await gitIn('/', interrupted).try(['config', '--get', 'core.sshCommand']);
  return code === 0 ? stdout.trim() : undefined;
}

import { canonicalRepository } from '@plat/remote';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { withoutCredentials } from '../terminal/printable';
import { ORIGIN } from './origin';

const HTTP = /^https?:\/\//i;
/** The host of an address that SSH reaches, in its canonical form, which has https for SSH. */
const HOST = /^(?:https|ssh):\/\/([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)(?=[:/])/;
/** A name that others may know: its last label is a top-level domain, or the number of an address. */
const PUBLIC_NAME = /\.(?:[a-z]+|xn--[a-z0-9-]+|\d+)$/;
/** Files that SSH tries without a setting. */
const USUAL_KEY = /\/id_[a-z0-9]+(?:_sk)?$/;

/** How SSH reaches a host, by the configuration of the person. */
interface SshHost {
  hostName: string;
  /** The key that the configuration names; undefined if it names none. */
  keyFile?: string;
}

/**
 * The address by which others know origin: the one that git uses, or the stored one, if the person's git leads it to an
 * alias of their SSH configuration for the same host (insteadOf).
 *
 * @param used origin's address as git uses it
 * @throws Failure SSH_ALIAS if origin's host is an alias, such as `work` for `github.com`, and the stored address names no
 *   other. Only this machine knows such a host, so the platform could not read the repository by that name. A host that SSH
 *   reaches by another name, such as `ssh.github.com` for `github.com`, is no alias: others know it too.
 */
export async function publicAddress(git: Git, used: string): Promise<string> {
  if (HTTP.test(used)) return used;
  const read = canonicalRepository(used) ?? '';
  const host = hostOf(read);
  if (host === undefined || host === 'localhost' || PUBLIC_NAME.test(host)) return used;
  const reached = await askSsh(git, host);
  // A search domain completes a name of the own network.
  if (!reached || reached.hostName === host || reached.hostName.startsWith(`${host}.`)) return used;
  const stored = (await git.try(['config', '--get', `remote.${ORIGIN}.url`])).stdout.trim();
  const behind = hostOf(canonicalRepository(stored) ?? '');
  // SSH may reach a host by another name of it, such as ssh.github.com.
  const isSame = reached.hostName === behind || (behind && reached.hostName.endsWith(`.${behind}`));
  if (isSame) return stored;
  const { hostName, keyFile } = reached;
  const named = withoutPassword(used).replace(new RegExp(`(^|@|//)${host}(?=[:/])`, 'i'), `$1${hostName}`);
  const key = keyFile && ['git', 'config', 'core.sshCommand', `ssh -o IdentitiesOnly=yes -i ${keyFile}`];
  throw new Failure(
    'SSH_ALIAS',
    `${host}, the host of origin, is ${hostName} by the SSH configuration of this machine, which the platform does not have. It would read ${read}.`,
    {
      details: { used: read, hostName },
      next: nextStep(
        ['git', 'remote', 'set-url', ORIGIN, named],
        key ? nextStep('&&', key) : undefined,
        ', then repeat the command',
      ),
    },
  );
}

const hostOf = (repository: string): string | undefined => HOST.exec(repository)?.[1];

/** @returns undefined if the person's SSH does not say, as one that is not OpenSSH */
async function askSsh(git: Git, host: string): Promise<SshHost | undefined> {
  const configured = (await git.try(['config', '--get', 'core.sshCommand'])).stdout.trim();
  // git starts the command of SSH in the same way: by a shell. The variable comes before the setting.
  const command = `if test -n "$GIT_SSH_COMMAND"; then eval "$GIT_SSH_COMMAND -G ${host}"; else ${configured || 'ssh'} -G ${host}; fi #`;
  const asked = ['-c', `alias.plat-ssh=!${command}`, 'plat-ssh'];
  const { code, stdout } = await git.try(asked);
  const hostName = /^hostname (\S+)$/m.exec(stdout)?.[1]?.toLowerCase();
  if (code !== 0 || hostName === undefined) return undefined;
  const keyFile = /^identityfile (.+)$/m.exec(stdout)?.[1];
  return keyFile === undefined || USUAL_KEY.test(keyFile) ? { hostName } : { hostName, keyFile };
}

/** An address of SSH needs its user, and shows no password. */
function withoutPassword(address: string): string {
  return /:\/\/[^/@]*:[^/@]*@/.test(address) ? withoutCredentials(address) : address;
}

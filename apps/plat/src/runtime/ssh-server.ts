import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { VARIABLE_TABLES } from '@plat/environments';
import { makePrivateFolder, writeInPrivateFolder } from '@plat/local';
import { childVariables } from '../environment';
import { Failure } from '../terminal/failure';

/** Where Debian has the server, outside of a user's PATH. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin'];
const HOST_KEY = 'host_ed25519';
/** Variables of the pod that a shell needs in addition to those of the contract. */
const OF_EVERY_SHELL = ['PATH', 'XDG_CONFIG_HOME', 'LANG', 'TZ'];

/**
 * Lines that OpenSSH logs of a connection that ends before it names a user: the kubelet's probe makes one every few seconds,
 * and the client's makes one for each look at a forward. A user who is refused is logged in other words.
 */
export const PROBED =
  /^(?:kex_exchange_identification: (?:Connection closed by remote host|read: Connection reset by peer)|Connection (?:closed|reset) by \S+ port \d+(?: \[preauth\])?)\r?$/;

type Texts = Readonly<Record<string, string | undefined>>;

/** The settings of the SSH server of a pod. */
export interface SshServing {
  home: string;
  port: number;
  /** Folder of the session's mount, which may hold a file of keys. */
  mount: string;
  /** Folder for files that end with the pod. */
  temporary: string;
  variables: Texts;
  /** Writes a line to the pod's log. */
  note(line: string): void;
}

/** A server that can be started. */
export interface SshServer {
  /** Its command line. */
  argv: string[];
  /** Removes the configuration, once the server has ended. */
  remove(): Promise<void>;
}

/**
 * Prepares OpenSSH's server, which runs as the pod's own user: a host key that stays over restarts of the pod, and a
 * configuration that ends with the pod, because it holds the variables of the pod, secrets included, for the shells.
 *
 * @throws Failure PROGRAM_MISSING
 */
export async function prepareSshServer(serving: SshServing): Promise<SshServer> {
  const program = await findServer(serving.variables.PATH ?? '');
  const own = await mkdtemp(join(serving.temporary, 'plat-sshd-'));
  const hostKey = await hostKeyOf(serving, own);
  const file = join(own, 'sshd_config');
  await writeInPrivateFolder(file, sshConfiguration(serving, hostKey));
  return {
    argv: [program, '-D', '-e', '-f', file],
    remove: () => rm(own, { recursive: true, force: true }),
  };
}

/** The server's configuration: keys only, and no check of modes, since Kubernetes makes volumes writable for a group. */
export function sshConfiguration({ home, port, mount, variables }: SshServing, hostKey: string): string {
  const keys = [join(home, '.ssh', 'authorized_keys'), join(mount, 'authorized_keys')];
  const lines = [
    `Port ${port}`,
    `HostKey ${quoted(hostKey)}`,
    `AuthorizedKeysFile ${keys.map(quoted).join(' ')}`,
    'AuthenticationMethods publickey',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'UsePAM no',
    'StrictModes no',
    'PidFile none',
    'PrintMotd no',
    'Subsystem sftp internal-sftp',
    `SetEnv ${shellVariables(variables).map(quoted).join(' ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The variables that a shell in the pod gets: the server would start it without the pod's. */
function shellVariables(variables: Texts): string[] {
  const names = [...OF_EVERY_SHELL, ...Object.keys(VARIABLE_TABLES.pod)];
  return names.flatMap((name) => {
    const text = variables[name];
    // A line of the server's configuration has no line breaks; in a list of registries they mean nothing.
    return text === undefined ? [] : [`${name}=${text.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim()}`];
  });
}

/** A word of the server's configuration, by the rules of its parser. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The host key in the home; if the home cannot keep one, a key that ends with the pod. */
async function hostKeyOf({ home, note }: SshServing, own: string): Promise<string> {
  try {
    return await keepHostKey(join(home, '.ssh', 'plat'));
  } catch (error) {
    note(`The SSH server has another host key until the next boot: ${(error as Error).message}`);
    return keepHostKey(own);
  }
}

/** Makes the host key if there is none. A boot that is killed leaves no incomplete one. */
async function keepHostKey(folder: string): Promise<string> {
  await makePrivateFolder(folder);
  const path = join(folder, HOST_KEY);
  if (await isEmptyOrMissing(path)) {
    const fresh = `${path}.new`;
    await Promise.all([fresh, `${fresh}.pub`].map((file) => rm(file, { force: true })));
    const args = ['-q', '-t', 'ed25519', '-N', '', '-C', 'plat', '-f', fresh];
    await promisify(execFile)('ssh-keygen', args, { env: childVariables({}) });
    await rename(`${fresh}.pub`, `${path}.pub`);
    await rename(fresh, path);
  }
  // A volume that is mounted for a group has made the key readable for it, and the server refuses such a key.
  await chmod(path, 0o600);
  return path;
}

async function findServer(path: string): Promise<string> {
  for (const folder of [...path.split(delimiter), ...SYSTEM_FOLDERS]) {
    const file = join(folder, 'sshd');
    // The server starts itself for each connection, by its absolute path.
    if (folder.startsWith('/') && (await exists(file))) return file;
  }
  throw new Failure('PROGRAM_MISSING', 'sshd is neither on the PATH nor in /usr/sbin.', {
    next: 'use the image of deploy/images/runtime, or install openssh-server in yours',
  });
}

/** A node that lost its power may have left an empty file. */
async function isEmptyOrMissing(path: string): Promise<boolean> {
  try {
    return (await stat(path)).size === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '../starter/child-process';
import { findFreePort } from './free-port';
import { peer } from './peer';
import { startServerProcess } from './server-process';

/** OpenSSH's server on 127.0.0.1, to which this user may connect with one key. */
export interface SshServer {
  /** `ssh://user@127.0.0.1:port`. A remote is this and the absolute path of a repository. */
  origin: string;
  /** The command that reaches it, for git's core.sshCommand. */
  command: string;
  stop(): Promise<void>;
}

/** As root the server needs this empty folder, which Debian makes at boot. */
const SEPARATION_FOLDER = '/run/sshd';

export async function startSshServer(): Promise<SshServer> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-ssh-'));
  const port = await findFreePort();
  const [hostKey, userKey] = await Promise.all([makeKey(folder, 'host'), makeKey(folder, 'user')]);
  if (process.getuid?.() === 0) await mkdir(SEPARATION_FOLDER, { recursive: true, mode: 0o755 });
  const known = `[127.0.0.1]:${port} ${await readFile(`${hostKey}.pub`, 'utf8')}`;
  await writeFile(join(folder, 'known_hosts'), known);
  const configuration = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${userKey}.pub`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'PidFile none',
    // The folder is below one that everybody may write to.
    'StrictModes no',
  ];
  const file = join(folder, 'sshd_config');
  await writeFile(file, `${configuration.join('\n')}\n`);
  const server = await startServerProcess({
    program: peer('sshd'),
    args: ['-D', '-e', '-f', file],
    ready: /Server listening on/,
  });
  return {
    origin: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    command: [
      peer('ssh'),
      '-F none',
      `-i ${userKey}`,
      '-o IdentitiesOnly=yes',
      '-o BatchMode=yes',
      `-o UserKnownHostsFile=${join(folder, 'known_hosts')}`,
    ].join(' '),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function makeKey(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  await promisify(execFile)(peer('ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
  return file;
}

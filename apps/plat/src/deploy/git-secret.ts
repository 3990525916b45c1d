import { defined } from '@plat/contracts/core';
import { type EnvConfig, type EnvironmentName, runtimeNames } from '@plat/environments';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { DeployedSecret, SecretContent } from './deployed-secret';
import {
  askHelper,
  type GitCredential,
  type GitSignIn,
  readKnownHosts,
  readSshKey,
  readTokenFile,
} from './git-credential';

/** Where the pod has the secret; the chart mounts it. */
const MOUNT = '/run/plat/git';
/** No one can answer a question of ssh. A new host is trusted at first contact, unless the person's machine knows it. */
const SSH_COMMAND = [
  'ssh',
  `-i ${MOUNT}/ssh-key`,
  '-o IdentitiesOnly=yes',
  '-o BatchMode=yes',
  '-o StrictHostKeyChecking=accept-new',
  `-o UserKnownHostsFile='~/.ssh/known_hosts ${MOUNT}/known_hosts'`,
  '-o ConnectTimeout=30',
  '-o ServerAliveInterval=30',
].join(' ');
/** Prints the sign-in, and ignores what git would store or erase. */
const HELPER = `!f() { test "$1" = get && cat ${MOUNT}/credential; }; f`;

/**
 * The secret with git's settings in the pod, and its credential. Rule H7.
 *
 * @returns undefined if the configuration names neither a person nor a credential
 * @throws Failure GIT_CREDENTIAL_UNFIT if the credential is not one for the remote
 */
export async function gitSecret(
  name: EnvironmentName,
  { git, repoUrl }: EnvConfig,
  interrupted: AbortSignal,
): Promise<DeployedSecret | undefined> {
  const { credential, ...person } = git ?? {};
  if (credential === undefined && person.name === undefined && person.email === undefined) return undefined;
  const settings = personSettings(person);
  const way = credential === undefined ? undefined : await wayOf(credential, repoUrl, interrupted);
  return {
    use: 'git',
    name: runtimeNames(name).gitSecret,
    type: 'Opaque',
    keys: ['config', ...(way?.keys ?? [])],
    async read() {
      const { data, secrets } = (await way?.read()) ?? { data: {}, secrets: [] };
      return { data: { config: [...settings, ...(way?.settings ?? [])].join(''), ...data }, secrets };
    },
  };
}

/** One way to sign in. */
interface Way {
  /** Sections of git's configuration. */
  settings: string[];
  keys: string[];
  read(): Promise<SecretContent>;
}

async function wayOf(
  { sshKeyFile, tokenFile, helper, user }: GitCredential,
  remote: string | undefined,
  interrupted: AbortSignal,
): Promise<Way> {
  if (sshKeyFile !== undefined) return sshWay(sshKeyFile, remote);
  const address = httpsRemote(remote);
  if (tokenFile !== undefined) return signInWay(address, () => readTokenFile(tokenFile, user));
  return signInWay(address, () => askHelper(helper ?? '', address, interrupted));
}

async function sshWay(path: string, remote: string | undefined): Promise<Way> {
  const host = sshHost(remote);
  if (host === undefined) throw unfit('An SSH key signs in to a remote over ssh alone', remote);
  const known = await readKnownHosts(host);
  return {
    settings: [section('core', { sshCommand: SSH_COMMAND })],
    keys: ['ssh-key', 'known_hosts'],
    async read() {
      const key = await readSshKey(path);
      return { data: { 'ssh-key': key, known_hosts: known }, secrets: [key, key.trim()] };
    },
  };
}

/** git sends a credential to the host of the remote alone. */
function signInWay({ origin }: URL, read: () => Promise<GitSignIn>): Way {
  return {
    settings: [section(`credential ${quoted(origin)}`, { helper: HELPER })],
    keys: ['credential'],
    async read() {
      const { username, password } = await read();
      const credential = `username=${username}\npassword=${password}\n`;
      return { data: { credential }, secrets: [password] };
    },
  };
}

function personSettings({
  name,
  email,
}: {
  name?: string | undefined;
  email?: string | undefined;
}): string[] {
  const fields = defined({ name, email });
  return Object.keys(fields).length === 0 ? [] : [section('user', fields)];
}

/** A section of git's configuration. */
function section(title: string, fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([key, value]) => `\t${key} = ${quoted(value)}\n`);
  return `[${title}]\n${lines.join('')}`;
}

/** A value of git's configuration, or the name of a subsection, by the rules of its parser. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** A host of ssh as its known hosts name it; undefined for any other remote. */
function sshHost(remote: string | undefined): string | undefined {
  const url = URL.canParse(remote ?? '') ? new URL(remote ?? '') : undefined;
  if (url?.protocol === 'ssh:') return url.port === '' ? url.hostname : `[${url.hostname}]:${url.port}`;
  if (url !== undefined || remote === undefined) return undefined;
  return /^(?:[^@/:]+@)?([^@/:]+):/.exec(remote)?.[1];
}

/** Without https anyone on the way could read the credential. A loopback address has no such way. */
function httpsRemote(remote: string | undefined): URL {
  const url = URL.canParse(remote ?? '') ? new URL(remote ?? '') : undefined;
  const isLoopback = /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(url?.hostname ?? '');
  if (url !== undefined && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback))) {
    return url;
  }
  throw unfit('A token signs in to a remote over https alone', remote);
}

function unfit(rule: string, remote: string | undefined): Failure {
  const which = remote === undefined ? 'the environment has no repoUrl' : `repoUrl is ${remote}`;
  return new Failure('GIT_CREDENTIAL_UNFIT', `${rule}, and ${which}.`, {
    details: { repoUrl: remote },
    next: nextStep(
      'give a credential of the other kind (--git-credential ssh-key=<file>, token-file=<file> or helper=<helper>), or the remote with --repo-url, to plat init <tenant> <env>',
    ),
  });
}

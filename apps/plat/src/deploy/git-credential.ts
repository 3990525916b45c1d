import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { EnvConfig } from '@plat/environments';
import { readSecretFile } from '../config/secret-file';
import { childVariables } from '../environment';
import { gitIn } from '../git/git';
import { Failure } from '../terminal/failure';
import { hideInOutput } from '../terminal/hidden-secrets';
import { nextStep } from '../terminal/next-step';

/** How a pod signs in to the project's remote, as the configuration names it. */
export type GitCredential = NonNullable<NonNullable<EnvConfig['git']>['credential']>;

/** A user name and a password, as git's protocol of credentials has them. */
export interface GitSignIn {
  username: string;
  password: string;
}

/** Forges take any user name, or this one, with a token. */
const TOKEN_USER = 'x-access-token';
const LINE = /^[^\p{Cc}]+$/u;
const OPENSSH_KEY = /^-----BEGIN OPENSSH PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+)-----END/;
const PRIVATE_KEY = /^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;
/** The format of an OpenSSH key, and the cipher's name in a key without a passphrase. */
const PLAIN_KEY = Buffer.from('openssh-key-v1\0\0\0\0\u0004none', 'latin1');

/**
 * Reads an SSH key from a file that only its owner may read. A pod has no person who could type a passphrase.
 *
 * @throws Failure GIT_CREDENTIAL_EXPOSED, GIT_CREDENTIAL_UNREADABLE; none repeats the key
 */
export async function readSshKey(path: string): Promise<string> {
  const text = (await secretText(path)).trim();
  if (!PRIVATE_KEY.test(text)) throw unreadable(`${path} is not a private SSH key.`);
  const body = OPENSSH_KEY.exec(text)?.[1];
  const isPlain =
    body === undefined
      ? !/^(?:-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED)/m.test(text)
      : Buffer.from(body, 'base64').subarray(0, PLAIN_KEY.length).equals(PLAIN_KEY);
  if (!isPlain) throw unreadable(`${path} has a passphrase, and a pod has no person to type it.`);
  hideInOutput(text);
  return `${text}\n`;
}

/** Reads a token from a file that only its owner may read. @throws Failure those of readSshKey */
export async function readTokenFile(path: string, user = TOKEN_USER): Promise<GitSignIn> {
  const token = (await secretText(path)).trim();
  if (!LINE.test(token)) throw unreadable(`${path} is not one line of text.`);
  return { username: user, password: hideInOutput(token) };
}

/**
 * Asks a credential helper of this machine's git for the sign-in at a remote.
 *
 * @throws Failure GIT_CREDENTIAL_UNREADABLE if the helper has none
 */
export async function askHelper(helper: string, remote: URL, interrupted: AbortSignal): Promise<GitSignIn> {
  // The helper is set by variables, since a helper may be a command that names a secret.
  const variables = {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'credential.helper',
    GIT_CONFIG_VALUE_0: '',
    GIT_CONFIG_KEY_1: 'credential.helper',
    GIT_CONFIG_VALUE_1: helper,
    // A question would wait for a person.
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
  };
  const wanted = [`protocol=${remote.protocol.replace(':', '')}`, `host=${remote.host}`];
  const path = remote.pathname.replace(/^\//, '');
  const question = `${[...wanted, `path=${path}`].join('\n')}\n\n`;
  const answer = await gitIn('/', interrupted, variables).try(['credential', 'fill'], question);
  const { username, password } = Object.fromEntries(
    answer.stdout.split('\n').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]),
  ) as Partial<GitSignIn>;
  if (answer.code === 0 && username && password) return { username, password: hideInOutput(password) };
  throw unreadable(`The credential helper has no sign-in for ${remote.host}.`);
}

/** Lines of the person's known hosts for a host. Empty if ssh knows none. @param host as ssh writes it there */
export async function readKnownHosts(host: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('ssh-keygen', ['-F', host], { env: childVariables({}) });
    return stdout
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => `${line}\n`)
      .join('');
  } catch {
    // Its exit code is 1 if it knows none. The pod then trusts the host at first contact.
    return '';
  }
}

function secretText(path: string): Promise<string> {
  const holds = 'the credential for git';
  return readSecretFile({ path, holds, exposedCode: 'GIT_CREDENTIAL_EXPOSED', unreadable });
}

function unreadable(message: string): Failure {
  return new Failure('GIT_CREDENTIAL_UNREADABLE', message, {
    next: nextStep(
      'correct git.credential of the environment, or name another (plat init <tenant> <env> --git-credential), then repeat the command',
    ),
  });
}

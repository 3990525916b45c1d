import type { EnvConfig, GitCredentialKind } from '@plat/environments';
import type { PlatformAlias } from '../config/cloud-alias';
import { gitIn } from '../git/git';
import { readSession, sessionPath } from '../session/stored-session';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';

/** Who commits in a pod. */
export interface GitIdentity {
  name: string;
  email: string;
}

/** An identity that was found and not named, and where it comes from. */
export interface FoundIdentity extends GitIdentity {
  from: 'the sign-in' | 'git';
}

type GitFields = NonNullable<EnvConfig['git']>;

/** `Alice Doe <alice@example.com>` */
const IDENTITY = /^\s*([^<>\s](?:[^<>\p{Cc}]{0,198}[^<>\s])?)\s*<([^<>\s@]{1,128}@[^<>\s@]{1,128})>\s*$/u;
const CREDENTIAL_FIELDS = {
  'ssh-key': 'sshKeyFile',
  'token-file': 'tokenFile',
  helper: 'helper',
} as const satisfies Record<GitCredentialKind, string>;

/** The flag of `plat init` for each kind. */
export const CREDENTIAL_FLAGS: Readonly<Record<GitCredentialKind, NextStep>> = {
  'ssh-key': nextStep('--git-credential ssh-key=<file>'),
  'token-file': nextStep('--git-credential token-file=<file>'),
  helper: nextStep('--git-credential helper=<helper>'),
};

export function identityText({ name, email }: GitIdentity): string {
  return `${name} <${email}>`;
}

/** @throws Failure INVALID_IDENTITY */
export function parseIdentity(text: string): GitIdentity {
  const [, name, email] = IDENTITY.exec(text) ?? [];
  if (name !== undefined && email !== undefined) return { name, email };
  throw new Failure('INVALID_IDENTITY', `${JSON.stringify(text.slice(0, 200))} is no name with an address.`, {
    next: "give it as 'Your Name <you@example.com>'",
  });
}

/** `ssh-key=/home/me/.ssh/shop`. @throws Failure INVALID_CREDENTIAL */
export function parseCredential(text: string): NonNullable<GitFields['credential']> {
  const at = text.indexOf('=');
  const [kind, value] = [text.slice(0, at), text.slice(at + 1)];
  if (Object.hasOwn(CREDENTIAL_FIELDS, kind) && value !== '') {
    return { [CREDENTIAL_FIELDS[kind as keyof typeof CREDENTIAL_FIELDS]]: value };
  }
  throw new Failure('INVALID_CREDENTIAL', 'The credential for git is of no known kind.', {
    next: 'give it as ssh-key=<file>, token-file=<file> or helper=<helper>',
  });
}

/** The kind of a configured credential, as flag and project name it. */
export function kindOf(credential: GitFields['credential']): GitCredentialKind | undefined {
  const kinds = Object.keys(CREDENTIAL_FIELDS) as GitCredentialKind[];
  return kinds.find((kind) => credential?.[CREDENTIAL_FIELDS[kind]] !== undefined);
}

/**
 * Finds who commits, if no person is named: the claims of the access token, otherwise the person's own git.
 *
 * @param folder where git looks
 */
export async function findIdentity(
  { configFolder, alias, folder }: { configFolder: string; alias: PlatformAlias | undefined; folder: string },
  interrupted: AbortSignal,
): Promise<FoundIdentity | undefined> {
  const session = alias && (await readSession(sessionPath(configFolder, alias)));
  const signedIn = claimedIdentity(session?.accessToken ?? '');
  if (signedIn !== undefined) return { ...signedIn, from: 'the sign-in' };
  const git = gitIn(folder, interrupted);
  const read = async (key: string) => (await git.try(['config', '--get', key])).stdout.trim();
  const [name, email] = [await read('user.name'), await read('user.email')];
  return isIdentity({ name, email }) ? { name, email, from: 'git' } : undefined;
}

/** Reads a token's claims. They are shown to the person and prove nothing, so no signature is checked. */
function claimedIdentity(accessToken: string): GitIdentity | undefined {
  try {
    const text = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString('utf8');
    const claims = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { name = claims.preferred_username, email } = claims;
    if (typeof name !== 'string' || typeof email !== 'string') return undefined;
    return isIdentity({ name, email }) ? { name, email } : undefined;
  } catch {
    return undefined;
  }
}

function isIdentity(identity: GitIdentity): boolean {
  return IDENTITY.test(identityText(identity));
}

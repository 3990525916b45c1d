import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '@plat/contracts/core';
import type { EnvironmentName } from '@plat/environments';
import { type PatientWait, writeInPrivateFolder } from '@plat/local';
import { missingFields, PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { withFileLock } from '../config/file-lock';
import { hideInOutput } from '../terminal/hidden-secrets';
import { readSession, sessionPath } from './stored-session';

/**
 * The session with which an environment acts as the operator who made it. Its file is a secret: mode 0600 in a 0700
 * folder. Spec: Client, Authentication, rule 4.
 */
export interface EnvironmentSession {
  alias: PlatformAlias;
  /** The environment's own if the provider rotates tokens: the rotation in the pod must not end the host's session. */
  refreshToken: string;
  /** The operator's subject at the identity provider, if it was reported. */
  subject?: string | undefined;
  /** Whether it is the token of this machine's own session, at a provider that does not rotate it. */
  isShared?: boolean | undefined;
  /** RFC 3339 UTC. A pod takes over the session only if this differs from the one that it has. */
  provisionedAt: string;
}

/** The content of the Secret with the session. */
export interface SessionSecret {
  /** Texts by their keys. */
  data: Record<'alias.json' | 'session.json', string>;
  /** The texts in it that nothing may repeat. */
  secrets: string[];
}

/** The file of an environment's session on the machine that provisions it. */
export function environmentSessionPath(
  configFolder: string,
  { tenant, environment }: EnvironmentName,
): string {
  return join(configFolder, tenant, environment, 'session.json');
}

/**
 * Runs the work while no other process of this machine provisions the same session. Waits for as long as that takes,
 * because the other one may wait for a person.
 */
export async function withEnvironmentSession<T>(
  { configFolder, name }: { configFolder: string; name: EnvironmentName },
  work: () => Promise<T>,
  patience: PatientWait,
): Promise<T> {
  return withFileLock(`${environmentSessionPath(configFolder, name)}.lock`, work, patience);
}

/** The session of an environment; undefined if none was provisioned. */
export async function readEnvironmentSession(
  configFolder: string,
  name: EnvironmentName,
): Promise<EnvironmentSession | undefined> {
  try {
    const text = await readFile(environmentSessionPath(configFolder, name), 'utf8');
    const value: unknown = JSON.parse(text);
    if (!isEnvironmentSession(value)) return undefined;
    hideInOutput(value.refreshToken);
    return value;
  } catch (error) {
    // A file that is not JSON is a lost session, which the next `plat init` replaces.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Whether the environment shares a session that this machine no longer has: it was signed out, or in again. Its token
 * may still work, but nothing here can confirm that.
 */
export async function isOutdated(
  configFolder: string,
  { alias, isShared, refreshToken }: EnvironmentSession,
): Promise<boolean> {
  if (isShared !== true) return false;
  const own = await readSession(sessionPath(configFolder, alias));
  return own?.refreshToken !== refreshToken;
}

export async function writeEnvironmentSession(
  configFolder: string,
  name: EnvironmentName,
  session: EnvironmentSession,
): Promise<void> {
  await writeInPrivateFolder(environmentSessionPath(configFolder, name), `${JSON.stringify(session)}\n`);
}

/** The Secret that the pod mounts. Rule H7. */
export function sessionSecretData({ alias, ...session }: EnvironmentSession): SessionSecret {
  return {
    data: {
      'alias.json': JSON.stringify(alias),
      'session.json': JSON.stringify(defined({ ...session })),
    },
    secrets: [session.refreshToken],
  };
}

function isEnvironmentSession(value: unknown): value is EnvironmentSession {
  if (typeof value !== 'object' || value === null) return false;
  const { alias, refreshToken, provisionedAt } = value as Partial<EnvironmentSession>;
  return (
    typeof alias === 'object' &&
    alias.kind === PLATFORM_KIND &&
    missingFields({ ...alias }).length === 0 &&
    typeof refreshToken === 'string' &&
    typeof provisionedAt === 'string'
  );
}

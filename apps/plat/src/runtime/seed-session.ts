import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { writeInPrivateFolder } from '@plat/local';
import { isAliasName, missingFields, PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { readConfig, saveAlias, saveDefaultAlias } from '../config/config-file';
import { withFileLock } from '../config/file-lock';
import { sessionPath, writeSession } from '../session/stored-session';

/** Result of seeding, with a sentence for the pod's log. */
export interface SeededSession {
  outcome: 'none' | 'kept' | 'seeded' | 'unusable';
  message: string;
}

export interface SessionPlaces {
  /** The read-only mount of the environment's session. */
  mount: string;
  configFolder: string;
  /** The environment's folder of the configuration, which remembers what was taken over. */
  environmentConfig: string;
}

interface MountedSession {
  alias: PlatformAlias;
  refreshToken: string;
  subject?: string | undefined;
  provisionedAt: string;
}

/** An access token that has expired, so that the first call renews it. */
const LONG_AGO = new Date(0).toISOString();
const REMEDY = 'run plat init again with --renew-session on a signed-in machine, which provisions a session';

/**
 * Takes over the session that `plat init` provisioned, unless the pod took it over at an earlier boot: the pod renews
 * its refresh token, and the mount keeps the first one. Spec: Client, Authentication, rule 4; Rule H16.
 */
export async function seedSession(places: SessionPlaces): Promise<SeededSession> {
  const { mount, configFolder } = places;
  const texts = await Promise.all(['alias.json', 'session.json'].map((key) => textOf(join(mount, key))));
  if (texts.every((text) => text === undefined)) {
    return { outcome: 'none', message: `The environment has no session: ${REMEDY}.` };
  }
  const mounted = mountedSession(texts);
  if (mounted === undefined) {
    return { outcome: 'unusable', message: `The session in ${mount} is incomplete or malformed: ${REMEDY}.` };
  }
  const seeded = join(places.environmentConfig, 'seeded-session.json');
  const { alias, provisionedAt } = mounted;
  const mark = `${JSON.stringify({ alias: alias.name, provisionedAt })}\n`;
  if ((await textOf(seeded)) === mark) {
    return { outcome: 'kept', message: `The session with ${alias.name} is the pod's own already.` };
  }
  // Before the session: on a full disk the pod would renew a session that the next boot takes over again, and the reuse of
  // its first refresh token would end it.
  await writeInPrivateFolder(`${seeded}.new`, mark);
  await takeOver(configFolder, mounted);
  // Named last: a boot that was stopped before takes the session over again.
  await rename(`${seeded}.new`, seeded);
  return { outcome: 'seeded', message: `The pod acts with the session of ${alias.name}.` };
}

async function takeOver(
  configFolder: string,
  { alias, refreshToken, subject }: MountedSession,
): Promise<void> {
  await saveAlias(configFolder, alias);
  const { defaultAlias } = await readConfig(configFolder);
  if (defaultAlias === undefined) await saveDefaultAlias(configFolder, alias.name);
  const path = sessionPath(configFolder, alias);
  await withFileLock(`${path}.lock`, () =>
    writeSession(path, { accessToken: '', expiresAt: LONG_AGO, refreshToken, subject }),
  );
}

/** The mounted session; undefined if a part of it is missing or wrong. */
function mountedSession(texts: ReadonlyArray<string | undefined>): MountedSession | undefined {
  const [alias, session] = texts.map(objectOf);
  if (alias === undefined || session === undefined || !isPlatformAlias(alias)) return undefined;
  const { refreshToken, provisionedAt, subject } = session;
  if (typeof refreshToken !== 'string' || refreshToken === '' || typeof provisionedAt !== 'string') {
    return undefined;
  }
  const { name, kind, apiUrl, audience, issuer, clientId } = alias;
  const own = { alias: { name, kind, apiUrl, audience, issuer, clientId }, refreshToken, provisionedAt };
  return typeof subject === 'string' ? { ...own, subject } : own;
}

function isPlatformAlias(value: Record<string, unknown>): value is Record<string, unknown> & PlatformAlias {
  const { name, kind } = value;
  return (
    typeof name === 'string' &&
    isAliasName(name) &&
    kind === PLATFORM_KIND &&
    missingFields({ ...value, name }).length === 0
  );
}

function objectOf(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

import { resolveAlias } from '../config/alias-resolution';
import { sessionPath, type StoredSession, writeSession } from '../session/stored-session';
import { Machine } from './plat-process';
import { PlatformDouble } from './platform-double';

/** The refresh token of the double's first session. */
export const REFRESH_TOKEN = 'refresh-1';

/** A machine with the alias `work` for a platform of its own, and a session with it. */
export async function signedInMachine(session: Partial<StoredSession> = {}) {
  const [machine, platform] = await Promise.all([Machine.create(), PlatformDouble.start()]);
  const run = await machine.plat(['cloud', 'init', 'work', '--api-url', platform.url]);
  if (run.code !== 0) throw new Error(run.stderr);
  const path = sessionPath(machine.configFolder, await resolveAlias(machine.configFolder, 'work'));
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await writeSession(path, { accessToken: 'access-1', refreshToken: REFRESH_TOKEN, expiresAt, ...session });
  return {
    machine,
    platform,
    sessionPath: path,
    dispose: () => Promise.all([machine.remove(), platform.close()]),
  };
}

import { saveAlias } from '../config/config-file';
import { readPlatform } from '../session/read-platform';
import { sessionPath, type StoredSession, writeSession } from '../session/stored-session';
import { Machine } from './plat-process';
import { PlatformDouble } from './platform-double';

/** The refresh token of the double's first session. */
export const REFRESH_TOKEN = 'refresh-1';

/** A machine with the alias `work` for a platform of its own, and a session with it. */
export async function signedInMachine(session: Partial<StoredSession> = {}) {
  const [machine, platform] = await Promise.all([Machine.create(), PlatformDouble.start()]);
  // As `plat cloud init work` does, which takes longer.
  const alias = await readPlatform('work', platform.url);
  await saveAlias(machine.configFolder, alias);
  const path = sessionPath(machine.configFolder, alias);
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await writeSession(path, { accessToken: 'access-1', refreshToken: REFRESH_TOKEN, expiresAt, ...session });
  return {
    machine,
    platform,
    sessionPath: path,
    dispose: () => Promise.all([machine.remove(), platform.close()]),
  };
}

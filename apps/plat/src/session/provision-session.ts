import { isDeepStrictEqual } from 'node:util';
import type { EnvironmentName } from '@plat/environments';
import type { PlatformAlias } from '../config/cloud-alias';
import { Failure } from '../terminal/failure';
import { readEnvironmentSession, writeEnvironmentSession } from './environment-session';
import { revokeEnvironmentSession } from './revoke-environment-session';
import { type SecondSession, secondSession } from './second-session';
import type { SignInPrompt } from './sign-in';

/** Whether the environment has a session, and how it came by it. `kept`: it had one already. */
export type ProvisionedSession =
  | { provisioned: true; by: SecondSession['by'] | 'kept'; alias: string; subject?: string | undefined }
  | { provisioned: false; code: string; reason: string; next?: string | undefined };

export interface SessionToProvision {
  configFolder: string;
  name: EnvironmentName;
  alias: PlatformAlias;
  /** Replaces a session that the environment has. */
  renew: boolean;
  /** Shows a page to the person; undefined if there is no person. */
  show?: ((prompt: SignInPrompt) => void) | undefined;
  interrupted?: AbortSignal | undefined;
}

/**
 * Provisions the signed-in alias of this machine into an environment. The session of an earlier run stays, because the
 * pod renews it and this machine cannot see that. An environment can be used without one, so the result gives the
 * reason if there is none. Spec: Client, Authentication, rule 4.
 */
export async function provisionSession(wanted: SessionToProvision): Promise<ProvisionedSession> {
  const { configFolder, name, alias, renew, show, interrupted } = wanted;
  const kept = await readEnvironmentSession(configFolder, name);
  if (kept !== undefined && !renew && isDeepStrictEqual(kept.alias, alias)) {
    return { provisioned: true, by: 'kept', alias: alias.name, subject: kept.subject };
  }
  try {
    const { refreshToken, subject, by } = await secondSession({ configFolder, alias, show, interrupted });
    await revokeEnvironmentSession(configFolder, name);
    const provisionedAt = new Date().toISOString();
    await writeEnvironmentSession(configFolder, name, {
      alias,
      refreshToken,
      subject,
      isShared: by === 'shared' ? true : undefined,
      provisionedAt,
    });
    return { provisioned: true, by, alias: alias.name, subject };
  } catch (error) {
    interrupted?.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return { provisioned: false, code: error.code, reason: error.message, next: error.next };
  }
}

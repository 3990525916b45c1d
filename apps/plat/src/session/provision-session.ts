import { isDeepStrictEqual } from 'node:util';
import type { EnvironmentName } from '@plat/environments';
import type { PlatformAlias } from '../config/cloud-alias';
import type { FailureCode } from '../error-codes/failure-code';
import { Failure } from '../terminal/failure';
import { type NextStep } from '../terminal/next-step';
import {
  isOutdated,
  readEnvironmentSession,
  withEnvironmentSession,
  writeEnvironmentSession,
} from './environment-session';
import { endSession } from './revoke-environment-session';
import { type SecondSession, secondSession } from './second-session';
import type { SignInPrompt } from './sign-in';

/** Whether the environment has a session, and how it came by it. `kept`: it had one already. */
export type ProvisionedSession =
  | { provisioned: true; by: SecondSession['by'] | 'kept'; alias: string; subject?: string | undefined }
  | { provisioned: false; code: FailureCode; reason: string; next?: NextStep | undefined };

export interface SessionToProvision {
  configFolder: string;
  name: EnvironmentName;
  alias: PlatformAlias;
  /** Replaces a session that the environment has. */
  renew: boolean;
  /** Shows a page to the person; undefined if there is no person. */
  show?: ((prompt: SignInPrompt) => void) | undefined;
  interrupted?: AbortSignal | undefined;
  /** Called once if another process is at work on the session. @param pid of it */
  waiting(pid: number): void;
}

/**
 * Provisions the signed-in alias of this machine into an environment. The session of an earlier run stays, because the
 * pod renews it and this machine cannot see that; a shared one only while this machine has it. An environment can be used without one, so the result gives the
 * reason if there is none. Spec: Client, Authentication, rule 4.
 */
export async function provisionSession(wanted: SessionToProvision): Promise<ProvisionedSession> {
  const { configFolder, name, interrupted, waiting } = wanted;
  try {
    return await withEnvironmentSession({ configFolder, name }, () => keepOrReplace(wanted), {
      interrupted,
      waiting,
    });
  } catch (error) {
    interrupted?.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return { provisioned: false, code: error.code, reason: error.message, next: error.next };
  }
}

/** The caller holds the lock: two runs at once would each end, or lose, what the other one has stored. */
async function keepOrReplace(wanted: SessionToProvision): Promise<ProvisionedSession> {
  const { configFolder, name, alias, renew, show, interrupted } = wanted;
  const earlier = await readEnvironmentSession(configFolder, name);
  if (earlier !== undefined && !renew && isDeepStrictEqual(earlier.alias, alias)) {
    if (!(await isOutdated(configFolder, earlier))) {
      return { provisioned: true, by: 'kept', alias: alias.name, subject: earlier.subject };
    }
  }
  const { refreshToken, subject, by } = await secondSession({ configFolder, alias, show, interrupted });
  const provisionedAt = new Date().toISOString();
  const isShared = by === 'shared' ? true : undefined;
  const session = { alias, refreshToken, subject, isShared, provisionedAt };
  // The earlier one ends last: whatever stops this run, the file has a session that is alive.
  try {
    await writeEnvironmentSession(configFolder, name, session);
  } catch (error) {
    await endSession(session);
    throw error;
  }
  if (earlier !== undefined && earlier.refreshToken !== refreshToken) await endSession(earlier);
  return { provisioned: true, by, alias: alias.name, subject };
}

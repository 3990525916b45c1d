import { createEnvironment, listEnvironments as listRegistered } from '@plat/api-client';
import type { EnvConfig, EnvironmentName } from '@plat/environments';
import { apiFailure } from '../session/api-failure';
import type { Platform } from '../session/platform';
import { Failure } from '../terminal/failure';
import { readRecord } from './platform-record';

/** Whether the platform has a record of the environment. */
export type Registration =
  | { registered: true; environmentId: string }
  | { registered: false; code: string; reason: string; next?: string | undefined };

/**
 * Registers the environment on the platform, if it is not registered. Best effort: the result gives the reason of a
 * failure. The platform's own name for a cluster is not this machine's, so no context is sent. Decision H6.
 */
export async function register(
  platform: Platform,
  { environment }: EnvironmentName,
  config: Pick<EnvConfig, 'type' | 'environmentId'>,
): Promise<Registration> {
  const { api } = platform;
  try {
    const known = config.environmentId;
    if (known !== undefined && (await readRecord(platform, known)).found !== undefined)
      {return { registered: true, environmentId: known };}
    const found = (await listRegistered(api)).find(({ name }) => name === environment);
    if (found !== undefined && found.status !== 'registered') {
      throw new Failure('BEING_DELETED', `The platform is deleting its environment ${environment}.`, {
        next: 'repeat the command when it is gone',
      });
    }
    const { environmentId } =
      found ?? (await createEnvironment(api, { body: { name: environment, type: config.type } }));
    return { registered: true, environmentId };
  } catch (error) {
    const failure = error instanceof Failure ? error : apiFailure(error);
    if (failure === undefined || failure.code === 'INTERRUPTED') throw error;
    return { registered: false, code: failure.code, reason: failure.message, next: failure.next };
  }
}

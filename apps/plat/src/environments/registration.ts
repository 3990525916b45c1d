import { createEnvironment, type Environment, listEnvironments as listRegistered } from '@plat/api-client';
import type { EnvConfig, EnvironmentName } from '@plat/environments';
import { changeConfigFile, type ConfigPlace } from '../config/config-store';
import type { FailureCode } from '../error-codes/failure-code';
import { apiFailure } from '../failures/api-failure';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { type NextStep } from '../terminal/next-step';
import { readRecord, requireOwnRecord, requireUnusedRecord } from './platform-record';

/** Whether the platform has a record of the environment. */
export type Registration =
  | { registered: true; environmentId: string }
  | { registered: false; code: FailureCode; reason: string; next?: NextStep | undefined };

/**
 * Registers the environment on the platform, if it is not registered. Best effort: the result gives the reason of a
 * failure. The platform's own name for a cluster is not this machine's, so no context is sent. Rule H6.
 */
export async function register(
  platform: Platform,
  name: EnvironmentName,
  config: Pick<EnvConfig, 'type' | 'environmentId'>,
): Promise<Registration> {
  return bestEffort(async () => {
    const record =
      (await findRecord(platform, name, config.environmentId)) ??
      (await createEnvironment(platform.api, { body: { name: name.environment, type: config.type } }));
    requireOwnRecord(name, record);
    if (record.status !== 'registered') {
      throw new Failure('BEING_DELETED', `The platform is deleting its environment ${record.name}.`, {
        next: 'repeat the command when it is gone',
      });
    }
    return record.environmentId;
  });
}

/**
 * Stores the id of the record in the file of the environment, unless another environment of this machine has it. Both
 * under the lock of the configuration, so that of two commands at the same time one gets it.
 */
export async function keepRecord(
  { configFolder, path }: ConfigPlace,
  name: EnvironmentName,
  environmentId: string,
): Promise<Registration> {
  return bestEffort(async () => {
    await changeConfigFile({ configFolder, path }, async ({ document, content }) => {
      await requireUnusedRecord(configFolder, name, environmentId);
      if (content.environmentId !== environmentId) document.set('environmentId', environmentId);
    });
    return environmentId;
  });
}

/**
 * The record with the id, otherwise the one with the name. A record without a namespace is another tenant's.
 *
 * @throws Failure FOREIGN_RECORD for the name as well, if the platform's tenant has another name: a record that was made
 * there would be that of another namespace
 */
async function findRecord(
  platform: Platform,
  name: EnvironmentName,
  environmentId: string | undefined,
): Promise<Environment | undefined> {
  const known = environmentId === undefined ? undefined : (await readRecord(platform, environmentId)).found;
  if (known !== undefined) return known;
  const own = (await listRegistered(platform.api)).filter(({ namespace }) => namespace !== undefined);
  for (const record of own) requireOwnRecord({ ...name, environment: record.name }, record);
  return own.find((record) => record.name === name.environment);
}

async function bestEffort(work: () => Promise<string>): Promise<Registration> {
  try {
    return { registered: true, environmentId: await work() };
  } catch (error) {
    const failure = error instanceof Failure ? error : apiFailure(error);
    if (failure === undefined || failure.code === 'INTERRUPTED') throw error;
    return { registered: false, code: failure.code, reason: failure.message, next: failure.next };
  }
}

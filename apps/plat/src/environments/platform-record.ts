import {
  type ApiFault,
  deleteEnvironment as deleteRegistered,
  type Environment,
  getEnvironment,
} from '@plat/api-client';
import { type EnvironmentName, namespaceOf } from '@plat/environments';
import { readConfigDocument } from '../config/config-document';
import { readConfiguredNames, scopedConfigPath } from '../config/config-scope';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { fullName } from './environment-choice';

/** The record of an environment on its platform, as it was before the deletion. */
export interface PlatformRecord {
  environmentId: string;
  /** Undefined if the platform does not know the id. */
  found?: Environment | undefined;
  platform: Platform;
}

/** @returns the record, without `found` if the platform does not know the id */
export async function readRecord(platform: Platform, environmentId: string): Promise<PlatformRecord> {
  return {
    environmentId,
    platform,
    found: await unlessUnknown(getEnvironment(platform.api, { environmentId })),
  };
}

/**
 * Requests the deletion of the record, which the platform does in the background.
 *
 * @returns false if the platform does not know it any more
 */
export async function deleteRecord({ platform, environmentId }: PlatformRecord): Promise<boolean> {
  return (await unlessUnknown(deleteRegistered(platform.api, { environmentId }))) !== undefined;
}

/**
 * Refuses a record that is another environment's, because its deletion removes the other's namespace. The platform leaves
 * the namespace of another tenant's environment out.
 *
 * @throws Failure FOREIGN_RECORD
 */
export function requireOwnRecord(name: EnvironmentName, { environmentId, namespace }: Environment): void {
  const own = namespaceOf(name);
  if (namespace === own) return;
  if (namespace === undefined) {
    const message = `The platform's environment ${environmentId} is that of another tenant.`;
    throw new Failure('FOREIGN_RECORD', message, { details: { environmentId } });
  }
  const message = `The platform's environment ${environmentId} has the namespace ${namespace}, not ${own}.`;
  throw new Failure('FOREIGN_RECORD', message, {
    details: { environmentId, namespace },
    next: nextStep(
      "give the environment the platform's names: plat init",
      namespace.replace('-', ' ').split(' '),
    ),
  });
}

/**
 * Refuses a record that another environment of this machine has.
 *
 * @throws Failure RECORD_IN_USE; CONFIG_UNREADABLE: a file that cannot be read may name any record
 */
export async function requireUnusedRecord(
  configFolder: string,
  name: EnvironmentName,
  environmentId: string,
): Promise<void> {
  const { environments } = await readConfiguredNames(configFolder);
  for (const other of environments.filter((one) => fullName(one) !== fullName(name))) {
    const { content } = await readConfigDocument(scopedConfigPath(configFolder, other));
    if (content.environmentId !== environmentId) continue;
    const message = `The platform's environment ${environmentId} is that of ${fullName(other)} on this machine.`;
    throw new Failure('RECORD_IN_USE', message, {
      details: { environmentId, ...other },
      next: `plat config unset environmentId --tenant <tenant> --environment <env>, for the one that it does not belong to`,
    });
  }
}

/** @returns undefined if the platform answers that it has no such environment */
async function unlessUnknown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiFault' && (error as ApiFault).code === 'NOT_FOUND') {
      return undefined;
    }
    throw error;
  }
}

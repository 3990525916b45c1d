import {
  type ApiFault,
  deleteEnvironment as deleteRegistered,
  type Environment,
  getEnvironment,
} from '@plat/api-client';
import type { Platform } from '../session/platform';

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

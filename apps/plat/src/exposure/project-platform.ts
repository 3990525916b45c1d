import {
  describeFault,
  type ExposingPlatform,
  exposingPlatform,
  type Fault,
  platformFaults,
  type PlatformOverrides,
} from '@plat/environments';
import { readPlatformBlock } from '../config/platform-block';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { listOf, nextStep } from '../terminal/next-step';

/** The facts about the project that both commands need. */
export interface PlatformRequest {
  environment: Environment;
  /** A folder of the project. */
  folder: string;
  overrides: PlatformOverrides;
  /** Whether a project without a platform block is no failure. */
  skipIfUnconfigured: boolean;
}

/** Reported instead of a result where there is nothing to do. */
export const UNCONFIGURED = 'the project has no platform block';

/**
 * The platform that the project names. Rules H3 and H12.
 *
 * @returns undefined if it names none, and that is no failure
 * @throws Failure PLATFORM_NOT_CONFIGURED, INVALID_FLAG; CONFIG_UNREADABLE and CONFIG_INVALID for a malformed block,
 *   which is a failure in any case
 */
export async function projectPlatform(request: PlatformRequest): Promise<ExposingPlatform | undefined> {
  const { environment, folder, overrides, skipIfUnconfigured } = request;
  const placed = await readPlatformBlock(environment, folder);
  if (placed === undefined) {
    if (skipIfUnconfigured) return undefined;
    throw new Failure('PLATFORM_NOT_CONFIGURED', `In ${folder} ${UNCONFIGURED}, so it has no public names.`, {
      next: "set basedomain and env below platform in .plat/config.yaml, at the root of the project's repository",
    });
  }
  const { path, block } = placed;
  const faults = platformFaults(block, overrides);
  if (faults.length === 0) return exposingPlatform(block, overrides);
  const ofFlags = faults.filter(({ field }) => field.startsWith('--'));
  const ofBlock = faults.filter((fault) => !ofFlags.includes(fault));
  if (ofBlock.length === 0) throw invalidFlags(ofFlags);
  throw new Failure('CONFIG_INVALID', ofBlock.map((fault) => `${path}: ${describeFault(fault)}`).join('; '), {
    details: { faults: ofBlock.map((fault) => ({ path, ...fault })) },
    next: nextStep('correct', [path]),
  });
}

/** The refusal of flags, as far as they have faults. @param faults at least one */
export function invalidFlags(faults: readonly Fault[]): Failure {
  const flags = faults.map(({ field }) => field);
  return new Failure('INVALID_FLAG', `${faults.map(describeFault).join('; ')}.`, {
    details: { flags },
    next: nextStep('give the right', listOf(flags), ', then repeat the command'),
  });
}

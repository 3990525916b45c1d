import { Failure } from '../terminal/failure';
import { Flags } from '../terminal/oclif';

/** The form of the container tools: operating system, architecture and an optional variant. */
const PLATFORM = /^[a-z0-9]+\/[a-z0-9_]+(?:\/[a-z0-9._-]+)?$/;

/** A platform to build for, repeatable; one value may list several with commas. @throws Failure INVALID_PLATFORM */
export const platformFlag = Flags.string({
  description: "Platform to build for, repeatable (default: the builder's own)",
  helpValue: '<os/arch>',
  multiple: true,
});

/** The platforms without repetitions. @throws Failure INVALID_PLATFORM */
export function requirePlatforms(given: readonly string[]): string[] {
  const platforms = [...new Set(given.flatMap((text) => text.split(',')))];
  const bad = platforms.find((platform) => !PLATFORM.test(platform));
  if (bad === undefined) return platforms;
  throw new Failure('INVALID_PLATFORM', `--platform ${JSON.stringify(bad)} is not a platform.`, {
    next: 'give one such as linux/amd64 or linux/arm64',
  });
}

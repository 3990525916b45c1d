import { gateTimeoutFlag } from '../gate/gate-time';
import { Flags } from '../terminal/oclif';
import { passEnvFlag } from '../terminal/pass-env';
import type { BuildRequest } from './build-plan';
import { requireTags } from './image-tags';
import { platformFlag, requirePlatforms } from './platform-flag';

/** The flags of `plat build`. */
export const buildFlags = {
  gate: Flags.boolean({ description: 'Run the test stage, even if the cache has it' }),
  'gate-timeout': gateTimeoutFlag,
  release: Flags.boolean({ description: 'Build VERSION itself instead of a snapshot of it' }),
  platform: platformFlag,
  tag: Flags.string({
    description: 'Additional tag besides the version (repeatable)',
    helpValue: '<tag>',
    multiple: true,
  }),
  image: Flags.string({
    description: "Name of the image, without registry and tag (default: the project's)",
    helpValue: '<name>',
  }),
  file: Flags.string({
    description: 'Dockerfile to build alone, relative to the root of the project',
    helpValue: '<path>',
  }),
  'no-push': Flags.boolean({ description: 'Tag the images on this machine only' }),
  'no-report': Flags.boolean({ description: 'Report nothing to the platform' }),
  'pass-env': passEnvFlag,
  // In the group of the terminal, so no tool has it: a person decides whether a script gets the token.
  'sign-in-script': Flags.boolean({
    description: "Let build.sh sign in to the platform's registry with your token",
    helpGroup: 'TERMINAL',
  }),
  'dry-run': Flags.boolean({ description: 'Print the commands, run none' }),
};

/** The given flags; oclif leaves out the others. */
interface GivenBuildFlags {
  gate?: boolean;
  release?: boolean;
  platform?: string[];
  tag?: string[];
  image?: string;
  file?: string;
  'no-push'?: boolean;
}

/** Reads a build request from the flags. @throws Failure for an invalid tag, image name or platform */
export function readBuildFlags(
  flags: GivenBuildFlags,
): Omit<BuildRequest, 'folder' | 'environment' | 'variables' | 'now'> {
  const { gate = false, release = false, tag: tags = [], image, file } = flags;
  requireTags(tags, image);
  const platforms = requirePlatforms(flags.platform ?? []);
  const publish = flags['no-push'] ? 'local' : 'registries';
  return { gate, release, platforms, tags, image, file, publish };
}

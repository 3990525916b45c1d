import { Flags } from '../terminal/oclif';
import type { BuildRequest } from './build-plan';
import { requireTags } from './image-tags';
import { platformFlag, requirePlatforms } from './platform-flag';

/** What `plat build` is asked for. */
export const buildFlags = {
  gate: Flags.boolean({ description: 'Run the test stage whatever the cache holds' }),
  release: Flags.boolean({ description: 'Build VERSION itself instead of a snapshot of it' }),
  platform: platformFlag,
  tag: Flags.string({
    description: 'Tag beside the version (repeatable)',
    helpValue: '<tag>',
    multiple: true,
  }),
  image: Flags.string({
    description: "Name of the image, without registry and tag (default: the project's)",
    helpValue: '<name>',
  }),
  file: Flags.string({
    description: 'Dockerfile, relative to the root of the project; nothing else is looked for',
    helpValue: '<path>',
  }),
  'no-push': Flags.boolean({ description: 'Tag on this machine alone' }),
  'no-report': Flags.boolean({ description: 'Tell the platform nothing' }),
  'dry-run': Flags.boolean({ description: 'Print the commands, run none' }),
};

/** The flags as they were given; oclif leaves out those that were not. */
interface GivenBuildFlags {
  gate?: boolean;
  release?: boolean;
  platform?: string[];
  tag?: string[];
  image?: string;
  file?: string;
  'no-push'?: boolean;
}

/** What the flags say about the build. @throws Failure for a tag, an image's name or a platform that is none */
export function readBuildFlags(
  flags: GivenBuildFlags,
): Omit<BuildRequest, 'folder' | 'environment' | 'variables' | 'now'> {
  const { gate = false, release = false, tag: tags = [], image, file } = flags;
  requireTags(tags, image);
  const platforms = requirePlatforms(flags.platform ?? []);
  const publish = flags['no-push'] ? 'local' : 'registries';
  return { gate, release, platforms, tags, image, file, publish };
}

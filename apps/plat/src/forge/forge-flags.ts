import { Flags } from '../terminal/oclif';
import type { ForgeInput } from './forge';

/** The repository and the forge of a command. */
export const forgeFlags = {
  repository: Flags.string({
    description: "Remote of the repository (default: the checkout's origin)",
    helpValue: '<remote>',
  }),
  'forge-url': Flags.string({
    description: "Base address of the forge's API (default: by the repository's host)",
    helpValue: '<url>',
  }),
};

export function forgeInput(flags: { repository?: string; 'forge-url'?: string }): ForgeInput {
  return { repository: flags.repository, apiUrl: flags['forge-url'] };
}

import type { CommandHost } from '../terminal/command-host';
import { Flags } from '../terminal/oclif';
import type { ForgeInput } from './forge';

/**
 * The forge's token goes to this address. The flag is in the group of the terminal, so no tool has it: a person decides
 * who gets the token, with the command or with the server of the tools.
 */
export const forgeUrlFlag = Flags.string({
  description: "Base address of the forge's API, which gets its token (default: by the repository's host)",
  helpValue: '<url>',
  helpGroup: 'TERMINAL',
});

/** The repository and the forge of a command. */
export const forgeFlags = {
  repository: Flags.string({
    description: "Remote of the repository (default: the checkout's origin)",
    helpValue: '<remote>',
  }),
  'forge-url': forgeUrlFlag,
};

interface GivenForgeFlags {
  repository?: string;
  'forge-url'?: string;
}

export function forgeInput(host: CommandHost, flags: GivenForgeFlags): ForgeInput {
  return { repository: flags.repository, apiUrl: chosenForgeUrl(host, flags) };
}

/** The address that the person has given, with this command or with the server that runs it. */
export function chosenForgeUrl({ forgeUrl }: CommandHost, flags: GivenForgeFlags): string | undefined {
  return flags['forge-url'] ?? forgeUrl;
}

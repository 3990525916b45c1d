import type { CommandHost } from './command-host';
import { Failure } from './failure';
import { Flags } from './oclif';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*\*?$/;

/**
 * The flag of commands that run a branch's code. It is in the group of the terminal, so no tool has it: a person decides
 * which secrets such code gets.
 */
export const passEnvFlag = Flags.string({
  description:
    'Variable with a secret that the started programs get all the same; AWS_* for all that begin so (repeatable)',
  multiple: true,
  helpGroup: 'TERMINAL',
  helpValue: '<name>',
  parse: async (name) => {
    if (NAME.test(name)) return name;
    throw new Failure('INVALID_VARIABLE_NAME', `${JSON.stringify(name)} is no name of a variable.`, {
      next: 'give the name alone, such as --pass-env NPM_TOKEN',
    });
  },
});

/** The names that the person has given, with this command or with the server that runs it. */
export function passedNames(host: CommandHost, flags: { 'pass-env'?: string[] | undefined }): string[] {
  return [...host.passed, ...(flags['pass-env'] ?? [])];
}

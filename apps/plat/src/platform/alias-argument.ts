import { Args } from '../terminal/oclif';

/** The alias of a command. */
export const aliasArgument = Args.string({
  description: 'Name of the alias',
  required: true,
  ignoreStdin: true,
});

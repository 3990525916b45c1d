import { Args } from '../terminal/oclif';

/** The alias that a command is about. */
export const aliasArgument = Args.string({
  description: 'Name of the alias',
  required: true,
  ignoreStdin: true,
});

import { Args } from '../terminal/oclif';

/** The lease of a command. */
export const leaseIdArgument = Args.string({
  description: 'Id of the lease',
  required: true,
  ignoreStdin: true,
});

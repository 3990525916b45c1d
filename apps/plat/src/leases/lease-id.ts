import { Args } from '../terminal/oclif';

/** The lease that a command is about. */
export const leaseIdArgument = Args.string({
  description: 'Id of the lease',
  required: true,
  ignoreStdin: true,
});

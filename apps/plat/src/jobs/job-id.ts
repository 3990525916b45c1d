import { Args } from '../terminal/oclif';

/** The job of a command. */
export const jobIdArgument = Args.string({ description: 'Id of the job', required: true, ignoreStdin: true });

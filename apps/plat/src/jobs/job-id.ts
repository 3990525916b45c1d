import { Args } from '../terminal/oclif';

/** The job that a command is about. */
export const jobIdArgument = Args.string({ description: 'Id of the job', required: true, ignoreStdin: true });

import { Args } from '../terminal/oclif';

/** The user of an assignment. */
export const reviewerArgument = Args.string({
  name: 'user',
  description: "Id or name of a user of the review's tenant",
  ignoreStdin: true,
});

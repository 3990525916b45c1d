import { chooseRepository } from '../checkout/repository-choice';
import { Flags } from '../terminal/oclif';

/** The repository of a command's queue. */
export const queueRepositoryFlags = {
  repository: Flags.string({
    description: "Remote of the repository (default: the checkout's origin)",
    helpValue: '<remote>',
  }),
  'any-repository': Flags.boolean({
    description: 'Name no repository: also reaches reviews that record none',
    exclusive: ['repository'],
  }),
};

/** The repository to name in the call; undefined to name none. @throws Failure NOT_A_CHECKOUT, NO_REPOSITORY */
export async function queueRepository(flags: {
  repository?: string;
  'any-repository': boolean;
}): Promise<string | undefined> {
  return flags['any-repository'] ? undefined : chooseRepository(flags.repository);
}

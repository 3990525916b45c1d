import type { ExposureRemoval } from '../environments/delete-environment';
import { fullName } from '../environments/environment-choice';
import { apiFailure } from '../failures/api-failure';
import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import { plannedUnexpose, prepareUnexpose, unexpose, type UnexposeRequest } from './unexpose';

/** A deletion that takes the public names along. */
export interface DeletedExposure extends Pick<
  UnexposeRequest,
  'environment' | 'name' | 'aliasName' | 'openPlatform' | 'interrupted'
> {
  /** The environment's checkout; its project counts, wherever the command runs. Rule H11. */
  localRepoPath: string | undefined;
  progress: Progress;
}

/**
 * The removal of a deleted environment's public names, best effort: a failure is only a note. Spec: Client, plat unexpose,
 * rule 3; Rule H11.
 */
export function exposureRemoval({ localRepoPath, progress, ...input }: DeletedExposure): ExposureRemoval {
  const prepare = () =>
    prepareUnexpose({
      ...input,
      folder: localRepoPath ?? process.cwd(),
      overrides: {},
      skipIfUnconfigured: true,
    });
  const left = (reason: string) => `The public names of ${fullName(input.name)} may be left: ${reason}`;
  return {
    async plan() {
      try {
        const prepared = await prepare();
        return prepared === undefined ? [] : plannedUnexpose(prepared);
      } catch (error) {
        return [left(reasonOf(error))];
      }
    },
    async remove() {
      try {
        const prepared = await prepare();
        if (prepared === undefined) return { unexposed: false };
        await unexpose(prepared, progress);
        return { unexposed: true };
      } catch (error) {
        return { unexposed: false, exposureNote: left(reasonOf(error)) };
      }
    },
  };
}

/** @throws what is no failure of a clean-up: the user's stop, and a defect of the client */
function reasonOf(error: unknown): string {
  const failure = error instanceof Failure ? error : apiFailure(error);
  if (failure === undefined || failure.code === 'INTERRUPTED') throw error;
  return failure.message;
}

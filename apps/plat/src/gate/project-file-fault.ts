import type { Git } from '../git/git';
import type { Skip } from '../merge/squash';
import { Failure } from '../terminal/failure';
import { PROJECT_FILE, readConfiguredGate } from './configured-gate';

/**
 * Finds out whether a squash would leave a project's file on the target that no gate can read, so that no later review
 * could be gated. If the target has such a file already, the gate reports that.
 *
 * @returns why the source is skipped; undefined if it is not
 */
export async function findProjectFileFault(
  git: Git,
  { onto, commit }: { onto: string; commit: string },
): Promise<Skip | undefined> {
  const fault = await findFault(git, commit);
  if (fault === undefined || (await findFault(git, onto)) !== undefined) return undefined;
  return { reason: 'project-file', files: [PROJECT_FILE], detail: fault.message };
}

async function findFault(git: Git, commit: string): Promise<Failure | undefined> {
  try {
    await readConfiguredGate(git, commit);
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.code.startsWith('CONFIG_')) return error;
    throw error;
  }
}

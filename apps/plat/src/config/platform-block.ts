import type { PlatformBlock } from '@plat/environments';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { checkDocument, placed } from './config-check';
import { parsePlatformBlock } from './config-library.js';
import { contractVariables } from './contract-variables';
import { checkoutRoot, projectFile, readProjectDocument } from './project-file';

/** The platform block of a project, and the file that it is in. */
export interface PlacedBlock {
  path: string;
  block: PlatformBlock;
}

/**
 * The platform block of the folder's project; outside a checkout that of PLAT_REPO_PATH. Rule H3.
 *
 * @returns undefined only if the project has no such block at all
 * @throws Failure CONFIG_UNREADABLE; CONFIG_INVALID, with every fault of the file
 */
export async function readPlatformBlock(
  environment: Environment,
  folder: string,
): Promise<PlacedBlock | undefined> {
  const path = projectFile(checkoutRoot(folder) ?? projectInPod(environment) ?? folder);
  if (path === undefined) return undefined;
  const file = await readProjectDocument(path);
  const { faults } = checkDocument('project', file);
  if (faults.length > 0) {
    throw new Failure('CONFIG_INVALID', faults.map(placed).join('; '), {
      details: { faults },
      next: nextStep('correct', [path]),
    });
  }
  const block = parsePlatformBlock(file.content);
  return block && { path, block };
}

/** Spec: Client, Variables set in a runtime pod, PLAT_REPO_PATH. */
function projectInPod(environment: Environment): string | undefined {
  return contractVariables(environment, ['PLAT_REPO_PATH']).PLAT_REPO_PATH;
}

import type { GitCredentialKind } from '@plat/environments';
import { checkDocument } from './config-check';
import { parseGitCredential } from './config-library.js';
import { checkoutRoot, projectFile, readProjectDocument } from './project-file';

/**
 * Reads how the pods of a project's environments sign in to its remote: the block `git` of its own file.
 *
 * @returns undefined if the folder has no project, or if its file does not say or has a fault, which other commands name
 * @throws Failure CONFIG_UNREADABLE
 */
export async function readGitCredentialKind(folder: string): Promise<GitCredentialKind | undefined> {
  const path = projectFile(checkoutRoot(folder) ?? folder);
  if (path === undefined) return undefined;
  const file = await readProjectDocument(path);
  return checkDocument('project', file).faults.length > 0 ? undefined : parseGitCredential(file.content);
}

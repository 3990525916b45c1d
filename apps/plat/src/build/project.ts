import { basename } from 'node:path';
import { commitOf, openCheckout, repositoryOfCheckout } from '../gate/checkout';
import type { Git } from '../gate/git';
import { Failure } from '../terminal/failure';

/** What is built. */
export interface Project {
  /** Its root: the top of the checkout, or the folder itself outside one. */
  folder: string;
  /** What its images are called: the repository's own name where origin tells it, else the folder's. */
  name: string;
  /** The commit that is checked out; undefined outside a checkout. */
  commitId?: string;
}

/**
 * The project of the checkout that the folder lies in; outside one that of PLAT_REPO_PATH, else the folder itself.
 * Spec: Client, Variables set in a runtime pod, PLAT_REPO_PATH.
 */
export async function findProject(folder: string, repositoryFolder: string | undefined): Promise<Project> {
  const git = (await checkoutOf(folder)) ?? (repositoryFolder && (await checkoutOf(repositoryFolder)));
  if (!git) return { folder, name: imageName(basename(folder)) };
  const repository = await repositoryOfCheckout(git).catch(notTold);
  const name = imageName(basename(repository ?? git.folder));
  return { folder: git.folder, name, commitId: await commitOf(git, 'HEAD') };
}

function checkoutOf(folder: string): Promise<Git | undefined> {
  return openCheckout(folder).catch(notTold);
}

function notTold(error: unknown): undefined {
  if (error instanceof Failure && ['NOT_A_CHECKOUT', 'NO_REPOSITORY'].includes(error.code)) return undefined;
  throw error;
}

/** The text as a registry takes it: lower case, everything else than letters, digits and separators becomes a hyphen. */
function imageName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/([._-])[._-]+/g, '$1')
    .replace(/^[._-]+|[._-]+$/g, '');
  return name === '' ? 'image' : name;
}

import { basename } from 'node:path';
import { commitOf, openCheckout, repositoryOfCheckout } from '../checkout/checkout';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';

/** The project to build. */
export interface Project {
  /** The top of the checkout, or the folder itself outside one. */
  folder: string;
  /** The name of its images: the repository's name by origin's address, otherwise the folder's. */
  name: string;
  /** The commit that is checked out; undefined outside a checkout. */
  commitId?: string;
}

/**
 * The project of the folder's checkout; outside a checkout that of PLAT_REPO_PATH, otherwise the folder itself.
 * Spec: Client, Variables set in a runtime pod, PLAT_REPO_PATH.
 */
export async function findProject(folder: string, repositoryFolder: string | undefined): Promise<Project> {
  const git = (await checkoutOf(folder)) ?? (repositoryFolder && (await checkoutOf(repositoryFolder)));
  if (git) return describeCheckout(git);
  return { folder, name: imageName(basename(folder)) };
}

/** The project of a checkout. */
export async function describeCheckout(git: Git): Promise<Project> {
  const repository = await repositoryOfCheckout(git).catch(notTold);
  const name = imageName(basename(repository ?? git.folder));
  return { folder: git.folder, name, commitId: await commitOf(git, 'HEAD') };
}

function checkoutOf(folder: string): Promise<Git | undefined> {
  return openCheckout(folder).catch(notTold);
}

/** Refusals after which a project is built all the same: it needs no git, and its folder names it. */
const WITHOUT_REPOSITORY = [
  'NOT_A_CHECKOUT',
  'CHECKOUT_OF_ANOTHER_USER',
  'NO_REPOSITORY',
  'REWRITTEN_REMOTE',
  'SSH_ALIAS',
];

function notTold(error: unknown): undefined {
  if (error instanceof Failure && WITHOUT_REPOSITORY.includes(error.code)) return undefined;
  throw error;
}

/** The text as a registry accepts it: in lower case, with hyphens for all but letters, digits and separators. */
function imageName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/([._-])[._-]+/g, '$1')
    .replace(/^[._-]+|[._-]+$/g, '');
  return name === '' ? 'image' : name;
}

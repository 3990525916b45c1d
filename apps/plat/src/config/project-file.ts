import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ConfigDocument, readConfigDocument } from './config-document';
import { requireOwnCheckout } from './foreign-checkout';

/**
 * The project's own file, at the root of the checkout that the folder is in; undefined if there is none. One that cannot be
 * reached, such as a link to itself, is there: who reads it says why. Rule H3.
 *
 * @throws Failure CHECKOUT_OF_ANOTHER_USER if there is one, and git does not take the checkout for this user's
 */
export function projectFile(folder: string): string | undefined {
  const root = checkoutRoot(folder);
  if (root === undefined) return undefined;
  const path = join(root, '.plat', 'config.yaml');
  if (!isThere(path)) return undefined;
  requireOwnCheckout(root);
  return path;
}

/**
 * Reads a project's own file. It may be a link to another file of its checkout, and to none elsewhere: whoever wrote the
 * branch made it.
 *
 * @param path from projectFile
 * @throws Failure CONFIG_UNREADABLE
 */
export function readProjectDocument(path: string): Promise<ConfigDocument> {
  return readConfigDocument(path, dirname(dirname(path)));
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** The root of the checkout that the folder is in; undefined outside of one. */
export function checkoutRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

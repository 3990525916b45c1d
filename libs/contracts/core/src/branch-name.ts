import { BRANCH_LENGTH_MAX } from './text';

const FORBIDDEN_CHARACTER = /[\p{Cc}\p{Surrogate} ~^:?*[\\]/u;
/** git's own words for the checked-out commit, which its porcelain refuses as branch names. */
const RESERVED = new Set(['HEAD', '@']);

/**
 * Whether git accepts the name as a branch, that is as `refs/heads/<name>` by git-check-ref-format(1).
 * A name that starts with a hyphen is refused, since a command line would read it as an option.
 */
export function isBranchName(name: string): boolean {
  if (name.length === 0 || name.length > BRANCH_LENGTH_MAX) return false;
  if (name.startsWith('-') || name.endsWith('.') || RESERVED.has(name)) return false;
  if (name.includes('..') || name.includes('@{') || FORBIDDEN_CHARACTER.test(name)) return false;
  return name.split('/').every(isRefComponent);
}

function isRefComponent(component: string): boolean {
  return component !== '' && !component.startsWith('.') && !component.endsWith('.lock');
}

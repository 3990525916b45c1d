import { ApiError } from '@plat/contracts/core';
import { canonicalRepository } from '@plat/remote';

/**
 * Canonicalizes the repository that a caller named; undefined when the caller named none.
 *
 * @throws INVALID_REPOSITORY for a value that names no repository. Spec: API, Reviews, POST rule 1; rule B2
 */
export function namedRepository(remote: string | undefined): string | undefined {
  if (remote === undefined) return undefined;
  const repository = canonicalRepository(remote);
  if (repository === undefined) {
    throw new ApiError('INVALID_REPOSITORY', { details: { field: 'repository' } });
  }
  return repository;
}

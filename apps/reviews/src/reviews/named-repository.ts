import { ApiError } from '@plat/contracts/core';
import { canonicalRepository } from '@plat/remote';

/**
 * The identity of the repository that a caller named; undefined when none was.
 *
 * @throws INVALID_REPOSITORY for a value that names none. Spec: API, Reviews, POST rule 1; decision B2
 */
export function namedRepository(remote: string | undefined): string | undefined {
  if (remote === undefined) return undefined;
  const repository = canonicalRepository(remote);
  if (repository === undefined)
    throw new ApiError('INVALID_REPOSITORY', { details: { field: 'repository' } });
  return repository;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locksOf } from '../../lock-files.mjs';
import { placesFromElsewhere, placesWithoutHash } from './hashes.mjs';

/**
 * Prints each package of a lock file that has no hash or comes from elsewhere than the registry, and fails if there is one,
 * or if no package is read at all.
 */
const root = join(import.meta.dirname, '..', '..', '..');
const locks = locksOf(root).map((lock) => ({
  lock,
  packages: JSON.parse(readFileSync(join(root, lock), 'utf8')).packages,
}));
const faults = locks.flatMap(({ lock, packages }) => [
  ...placesWithoutHash(packages).map(
    (place) => `${lock}: ${place} has no hash: node tools/complete-lock.mjs`,
  ),
  ...placesFromElsewhere(packages).map((place) => `${lock}: ${place} is not resolved at the registry of npm`),
]);
const count = locks.reduce((sum, { packages }) => sum + Object.keys(packages).length, 0);
process.stdout.write(
  [...faults, `${count} packages, ${faults.length} without a hash or from elsewhere`, ''].join('\n'),
);
process.exitCode = faults.length === 0 && count > 0 ? 0 : 1;

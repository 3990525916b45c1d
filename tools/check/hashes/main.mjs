import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { locksOf, shrinkwrapsOf } from '../../lock-files.mjs';
import { placesFromElsewhere, placesWithoutHash } from './hashes.mjs';

/**
 * Prints each package of a lock file that has no hash or comes from elsewhere than the registry, and each file that npm would
 * read in place of a lock file. Fails if there is one, or if no package is read at all.
 */
const root = join(import.meta.dirname, '..', '..', '..');
const json = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const locks = locksOf(root).map((lock) => ({
  lock,
  packages: json(lock).packages,
  manifest: json(join(dirname(lock), 'package.json')),
}));
const faults = locks.flatMap(({ lock, packages, manifest }) => [
  ...placesWithoutHash(packages).map(
    (place) => `${lock}: ${place} has no hash: node tools/complete-lock.mjs`,
  ),
  ...placesFromElsewhere(packages, manifest).map(
    (place) => `${lock}: ${place} is not resolved at the registry of npm`,
  ),
]);
faults.push(...shrinkwrapsOf(root).map((file) => `${file}: npm would read it in place of package-lock.json`));
const count = locks.reduce((sum, { packages }) => sum + Object.keys(packages).length, 0);
process.stdout.write(
  [...faults, `${count} packages, ${faults.length} without a hash or from elsewhere`, ''].join('\n'),
);
process.exitCode = faults.length === 0 && count > 0 ? 0 : 1;

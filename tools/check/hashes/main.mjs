import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locksOf } from '../../lock-files.mjs';
import { placesWithoutHash } from './hashes.mjs';

/** Prints each package of a lock file without a hash, and fails if there is one, or if no package is read at all. */
const root = join(import.meta.dirname, '..', '..', '..');
const locks = locksOf(root).map((lock) => ({
  lock,
  packages: JSON.parse(readFileSync(join(root, lock), 'utf8')).packages,
}));
const faults = locks.flatMap(({ lock, packages }) =>
  placesWithoutHash(packages).map((place) => `${lock}: ${place} has no hash: node tools/complete-lock.mjs`),
);
const count = locks.reduce((sum, { packages }) => sum + Object.keys(packages).length, 0);
process.stdout.write([...faults, `${count} packages, ${faults.length} without a hash`, ''].join('\n'));
process.exitCode = faults.length === 0 && count > 0 ? 0 : 1;

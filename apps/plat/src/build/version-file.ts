import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isVersion } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** The file at the top of a project with the version that it works towards. Decision G8. */
const VERSION_FILE = 'VERSION';

/** @throws Failure NO_VERSION, INVALID_VERSION */
export async function readVersion(folder: string): Promise<string> {
  const path = join(folder, VERSION_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Failure('NO_VERSION', `${folder} has no file ${VERSION_FILE}.`, {
      details: { path },
      next: nextStep('echo 0.1.0 >', [path]),
    });
  });
  const version = text.trim();
  // The snapshot made from it must be a valid version as well.
  if (isVersion(snapshotOf(version, new Date(0)))) return version;
  throw new Failure('INVALID_VERSION', `${path} holds no version such as 1.2.3.`, {
    details: { path },
    next: nextStep('write the version into', [path]),
  });
}

/** `<version>-snapshot-<YYYYMMDDhhmmss>`, in UTC. Decision G8. */
export function snapshotOf(version: string, now: Date): string {
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 'YYYYMMDDhhmmss'.length);
  return `${version}-snapshot-${stamp}`;
}

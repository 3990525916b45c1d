import { join } from 'node:path';
import { describeVersionFault, isVersion } from '@plat/contracts/core';
import { FileRefused, readRegularFile } from '@plat/local';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** The file at the top of a project with the version that it works towards. Rule G8. */
const VERSION_FILE = 'VERSION';

/** More than any version has. */
const BYTES_MAX = 1024;

/** @throws Failure NO_VERSION, INVALID_VERSION */
export async function readVersion(folder: string): Promise<string> {
  const path = join(folder, VERSION_FILE);
  const version = readText(folder, path).trim();
  // The snapshot made from it must be a valid version as well.
  const snapshot = snapshotOf(version, new Date(0));
  if (isVersion(snapshot)) return version;
  const fault = describeVersionFault(isVersion(version) ? snapshot : version);
  throw invalid(path, `holds no version such as 1.2.3: ${fault}`);
}

function readText(folder: string, path: string): string {
  try {
    return readRegularFile(path, { bytesMax: BYTES_MAX, inside: folder }).toString('utf8');
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    if (error.fault !== 'absent') throw invalid(path, error.message);
    throw new Failure('NO_VERSION', `${folder} has no file ${VERSION_FILE}.`, {
      details: { path },
      next: nextStep('echo 0.1.0 >', [path]),
    });
  }
}

const invalid = (path: string, why: string): Failure =>
  new Failure('INVALID_VERSION', `${path} ${why}.`, {
    details: { path },
    next: nextStep('write the version into', [path]),
  });

/** `<version>-snapshot-<YYYYMMDDhhmmss>`, in UTC. Rule G8. */
export function snapshotOf(version: string, now: Date): string {
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 'YYYYMMDDhhmmss'.length);
  return `${version}-snapshot-${stamp}`;
}

import { dirname, join } from 'node:path';
import type { EnvironmentName } from '@plat/environments';
import { FileRefused, readRegularFile, writeInPrivateFolder } from '@plat/local';
import { scopedConfigPath } from '../config/config-scope';
import { withFileLock } from '../config/file-lock';

const FILE = 'namespace-uid';
const BYTES_MAX = 4096;
/** Most namespaces that are remembered of an environment, such as those of several clusters. The newest ones count. */
const NAMESPACES_MAX = 8;

/** An environment of this machine's configuration. */
interface Remembered {
  configFolder: string;
  name: EnvironmentName;
}

/** In the environment's folder of the configuration, which goes with it. */
const pathOf = ({ configFolder, name }: Remembered): string =>
  join(dirname(scopedConfigPath(configFolder, name)), FILE);

/**
 * The uids of the namespaces that deploys of this machine have made or accepted for the environment, the newest last. No
 * other namespace ever gets such a uid.
 */
export function readNamespaceUids(environment: Remembered): string[] {
  return readLines(pathOf(environment));
}

/** @throws Failure LOCKED */
export async function rememberNamespace(environment: Remembered, uid: string): Promise<void> {
  if (uid === '') return;
  const path = pathOf(environment);
  await withFileLock(`${path}.lock`, async () => {
    const others = readLines(path).filter((line) => line !== uid);
    await writeInPrivateFolder(path, `${[...others, uid].slice(-NAMESPACES_MAX).join('\n')}\n`);
  });
}

/** A file that cannot be read counts as never written: a person then accepts the namespace once more. */
function readLines(path: string): string[] {
  try {
    const text = readRegularFile(path, { bytesMax: BYTES_MAX }).toString('utf8');
    return text.split('\n').filter((line) => line !== '');
  } catch (error) {
    if (error instanceof FileRefused) return [];
    throw error;
  }
}

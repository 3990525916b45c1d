import { dirname, join } from 'node:path';
import type { EnvironmentName } from '@plat/environments';
import { FileRefused, readRegularFile, writeInPrivateFolder } from '@plat/local';
import { scopedConfigPath } from '../config/config-scope';

const FILE = 'namespace-uid';
const BYTES_MAX = 256;

/** An environment of this machine's configuration. */
interface Remembered {
  configFolder: string;
  name: EnvironmentName;
}

/** In the environment's folder of the configuration, which goes with it. */
const pathOf = ({ configFolder, name }: Remembered): string =>
  join(dirname(scopedConfigPath(configFolder, name)), FILE);

/**
 * The uid of the namespace that a deploy of this machine has made or accepted for the environment, which no other namespace
 * ever gets; undefined if it has done neither.
 */
export async function readNamespaceUid(environment: Remembered): Promise<string | undefined> {
  try {
    return readRegularFile(pathOf(environment), { bytesMax: BYTES_MAX }).toString('utf8').trim();
  } catch (error) {
    if (error instanceof FileRefused) return undefined;
    throw error;
  }
}

export async function rememberNamespace(environment: Remembered, uid: string): Promise<void> {
  if (uid !== '') await writeInPrivateFolder(pathOf(environment), `${uid}\n`);
}

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FileRefused, makePrivateFolder, readRegularFile, writePrivateFile } from '@plat/local';
import { withFileLock } from '../config/file-lock';

const FOLDER = 'waiting';
/** Longest file, in bytes: of some thousands of ids. */
const BYTES_MAX = 256 * 1024;
/** Most ids that are remembered of a subject. The newest ones count. */
const IDS_MAX = 1000;

/** When this client first saw each thing wait for its seal, in milliseconds since 1970, by id. */
export type FirstSeen = Readonly<Record<string, number>>;

/**
 * Remembers which things wait for their seal. The platform alone says when a receipt was made, and one that is not trusted
 * could always say that it was a moment ago.
 *
 * @param subject the kind of the ids and their place; the same for each alias
 * @returns when each was first seen
 * @throws Failure LOCKED
 */
export async function rememberWaiting(
  configFolder: string,
  subject: string,
  ids: readonly string[],
): Promise<FirstSeen> {
  const folder = join(configFolder, FOLDER);
  const path = join(folder, createHash('sha256').update(subject).digest('hex').slice(0, 32));
  await makePrivateFolder(folder);
  return withFileLock(`${path}.lock`, async () => {
    const known = readMemory(path);
    const added = ids.filter((id) => known[id] === undefined);
    if (added.length === 0) return known;
    const now = Date.now();
    const all = [...Object.entries(known), ...added.map((id) => [id, now] as const)];
    const kept = Object.fromEntries(all.slice(-IDS_MAX));
    await writePrivateFile(path, `${JSON.stringify(kept)}\n`);
    return kept;
  });
}

/** A file that cannot be read counts as never written: its ids are then waited for once more. */
function readMemory(path: string): FirstSeen {
  try {
    const read: unknown = JSON.parse(readRegularFile(path, { bytesMax: BYTES_MAX }).toString('utf8'));
    return Object.fromEntries(Object.entries(read ?? {}).filter(([, at]) => Number.isSafeInteger(at)));
  } catch (error) {
    if (error instanceof FileRefused || error instanceof SyntaxError) return {};
    throw error;
  }
}

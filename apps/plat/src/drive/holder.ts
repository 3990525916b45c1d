import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { FileRefused, makePrivateFolder, readRegularFile, writeInPrivateFolder } from '@plat/local';

const ID_BYTES = 8;
const ID_FILE = 'checkout-id';
const ID_FILE_BYTES_MAX = 256;
/** Most characters that the platform accepts. */
const HOLDER_LENGTH_MAX = 512;

/**
 * The holder's name for others: person or orchestrator, machine and checkout in scp's form, and the checkout's own id, which
 * distinguishes two drives of one queue even on machines with the same name.
 *
 * @param own the client's folder of the checkout, which the caller has claimed
 */
export async function holderOf(who: string, folder: string, own: string): Promise<string> {
  const id = ` (${await checkoutId(own)})`;
  const place = `${who}@${hostname()}:${folder}`;
  return `${place.slice(0, HOLDER_LENGTH_MAX - id.length).toWellFormed()}${id}`;
}

/** The checkout that a holder names, if it names this machine. Another machine may have the same name. */
export function placeOfHolder(holder: string): { folder: string; id: string } | undefined {
  if (holder.length > HOLDER_LENGTH_MAX) return undefined;
  const [, machine, folder = '', id = ''] = /^.*?@([^@:]+):(.+) \(([0-9a-f]{16})\)$/s.exec(holder) ?? [];
  return machine === hostname() ? { folder, id } : undefined;
}

/** Whether the client's folder of a checkout is that of the checkout with the id. */
export function isCheckoutOf(own: string, id: string): boolean {
  return readKeptId(join(own, ID_FILE)).split(' ')[0] === id;
}

/** The id, made once. A copied checkout gets a new one, because its folder has another inode number. */
async function checkoutId(own: string): Promise<string> {
  await makePrivateFolder(own);
  const { ino } = await stat(own, { bigint: true });
  const path = join(own, ID_FILE);
  const [id = '', number] = readKeptId(path).split(' ');
  if (/^[0-9a-f]{16}$/.test(id) && number === String(ino)) return id;
  const made = randomBytes(ID_BYTES).toString('hex');
  await writeInPrivateFolder(path, `${made} ${ino}\n`);
  return made;
}

/** The kept id with its number; none in what is no regular file of the checkout, such as a pipe. */
function readKeptId(path: string): string {
  try {
    return readRegularFile(path, { bytesMax: ID_FILE_BYTES_MAX, inside: dirname(path) })
      .toString('utf8')
      .trim();
  } catch (error) {
    if (error instanceof FileRefused) return '';
    throw error;
  }
}

import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { makePrivateFolder, writeInPrivateFolder } from '@plat/local';

const ID_BYTES = 8;
/** In characters, as the platform takes it. */
const HOLDER_LENGTH_MAX = 512;

/**
 * Who drives, as others see it: person, machine and checkout as scp would write them, and the checkout's own id. By it
 * two drives of one queue are told apart, on machines that are called the same as well.
 *
 * @param own what the client keeps of the checkout, which the caller has claimed
 */
export async function holderOf(folder: string, own: string): Promise<string> {
  const id = ` (${await checkoutId(own)})`;
  const place = `${userInfo().username}@${hostname()}:${folder}`;
  return `${place.slice(0, HOLDER_LENGTH_MAX - id.length)}${id}`;
}

/** Made once. A checkout that was copied, with all that lies in it, is another one: its folder has another number. */
async function checkoutId(own: string): Promise<string> {
  await makePrivateFolder(own);
  const { ino } = await stat(own, { bigint: true });
  const path = join(own, 'checkout-id');
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [id = '', number] = kept.trim().split(' ');
  if (/^[0-9a-f]{16}$/.test(id) && number === String(ino)) return id;
  const made = randomBytes(ID_BYTES).toString('hex');
  await writeInPrivateFolder(path, `${made} ${ino}\n`);
  return made;
}

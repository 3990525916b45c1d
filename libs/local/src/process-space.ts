import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

const LINUX_BOOT = '/proc/sys/kernel/random/boot_id';
const LINUX_NAMESPACE = '/proc/self/ns/pid';

let own: string | undefined;

/**
 * The space in which process ids are valid: this boot of this machine, and this container. In another space the same id
 * belongs to another process or to none.
 *
 * @returns one word without blanks, which can only be compared
 */
export function processSpace(): string {
  own ??= [hostname(), contentOf(LINUX_BOOT, readFileSync), contentOf(LINUX_NAMESPACE, readlinkSync)]
    .map((part) => part.replace(/[\s/]/g, '_'))
    .join('/');
  return own;
}

/**
 * Whether the processes of a space can be seen from here.
 *
 * @param space empty: a file that is not whole names none, and counts as this machine's
 * @returns gone: the machine was restarted since, so none of them runs
 */
export function spaceOf(space: string): 'here' | 'gone' | 'elsewhere' {
  if (space === '' || space === processSpace()) return 'here';
  const [host, boot, namespace] = space.split('/');
  const [ownHost, ownBoot, ownNamespace] = processSpace().split('/');
  if (boot === '' || ownBoot === '') return 'elsewhere';
  // The machine may have been renamed.
  if (boot === ownBoot && namespace !== '' && namespace === ownNamespace) return 'here';
  return host === ownHost && boot !== ownBoot ? 'gone' : 'elsewhere';
}

function contentOf(path: string, read: (path: string, encoding: 'utf8') => string): string {
  try {
    return read(path, 'utf8').trim();
  } catch {
    // Another system, or a container that hides the boot id: the host name distinguishes containers.
    return '';
  }
}

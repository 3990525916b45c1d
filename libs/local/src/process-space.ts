import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

const LINUX_BOOT = '/proc/sys/kernel/random/boot_id';
const LINUX_NAMESPACE = '/proc/self/ns/pid';

let own: string | undefined;

/**
 * Where process ids are counted: this machine since it was started, and this container of it. The id of a process
 * elsewhere tells nothing here, where the same id is nobody's or somebody else's.
 *
 * @returns one word without blanks; good for nothing but comparing
 */
export function processSpace(): string {
  own ??= [hostname(), contentOf(LINUX_BOOT, readFileSync), contentOf(LINUX_NAMESPACE, readlinkSync)]
    .map((part) => part.replace(/[\s/]/g, '_'))
    .join('/');
  return own;
}

/**
 * Whether the processes of a space can be looked for from here.
 *
 * @param space undefined: a file of an earlier client does not tell, and is taken for this machine's
 * @returns gone: the machine was started again since, so none of them is left
 */
export function spaceOf(space: string | undefined): 'here' | 'gone' | 'elsewhere' {
  if (space === undefined || space === processSpace()) return 'here';
  const [host, boot, namespace] = space.split('/');
  const [ownHost, ownBoot, ownNamespace] = processSpace().split('/');
  if (boot === '' || ownBoot === '') return 'elsewhere';
  // The machine may have been given another name.
  if (boot === ownBoot && namespace !== '' && namespace === ownNamespace) return 'here';
  return host === ownHost && boot !== ownBoot ? 'gone' : 'elsewhere';
}

function contentOf(path: string, read: (path: string, encoding: 'utf8') => string): string {
  try {
    return read(path, 'utf8').trim();
  } catch {
    // Another system, or a container that hides it: its name tells containers apart.
    return '';
  }
}

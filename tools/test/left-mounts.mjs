import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MOUNT_POINT = 4;

/**
 * Unmounts what a killed build of an image left mounted in a folder, which otherwise cannot be removed. Only Linux lists
 * mounts, and only root may unmount them; for others nothing happens.
 *
 * @param {string} folder
 */
export function unmountIn(folder) {
  const mounted = mountPoints().filter((path) => path.startsWith(`${folder}/`));
  // A mount inside of another one was made later, and ends first.
  for (const path of mounted.reverse()) spawnSync('umount', ['--lazy', path]);
}

function mountPoints() {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').trimEnd().split('\n');
    return lines.map((line) => withoutEscapes(line.split(' ')[MOUNT_POINT]));
  } catch {
    return [];
  }
}

/** The kernel writes a space of a path as \040, and so on. */
function withoutEscapes(path) {
  return path.replaceAll(/\\([0-7]{3})/g, (_all, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}

import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The oldest git whose `merge-tree` and options the client uses. */
const GIT_MIN = [2, 39];
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The first thing that this machine lacks, as a sentence that says what to do; undefined if it lacks nothing. Runs on any
 * Node that knows modules, so that an old one is named and not the first word that it cannot read.
 *
 * @param {object} [machine]
 * @param {string} [machine.node] version
 * @param {string} [machine.engines] the versions of Node that package.json allows
 * @param {string} [machine.git] the program
 * @param {string} [machine.root] the checkout
 * @returns {string | undefined}
 */
export function findLack({
  node = process.versions.node,
  engines = enginesOf(ROOT),
  git = 'git',
  root = ROOT,
} = {}) {
  if (!isAllowed(node, engines)) {
    return `This is Node ${node}, and plat needs ${readable(engines)}: install one from https://nodejs.org, then repeat the command.`;
  }
  const found = gitVersion(git);
  if (found === undefined) {
    return `git is not on the PATH: install git ${GIT_MIN.join('.')} or newer, then repeat the command.`;
  }
  if (compare(numbersOf(found), GIT_MIN) < 0) {
    return `This is git ${found}, and plat needs ${GIT_MIN.join('.')} or newer: install one from https://git-scm.com, then repeat the command.`;
  }
  if (!isWritable(root)) {
    return `You may not write in ${root}: clone the repository into a folder of your own, then repeat the command there.`;
  }
  return undefined;
}

function enginesOf(root) {
  return JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).engines.node;
}

/** Whether a version is in a range of package.json: alternatives of `^1.2.3` and `>=1`. */
function isAllowed(version, range) {
  const found = numbersOf(version);
  return range.split('||').some((part) => {
    const least = numbersOf(part.replace(/[^\d.]/g, ''));
    return compare(found, least) >= 0 && (part.trim().startsWith('>=') || found[0] === least[0]);
  });
}

/** A range of package.json as a sentence has it: `20.19.0 or a newer 20, or 24 and newer`. */
function readable(range) {
  const parts = range.split('||').map((part) => {
    const least = part.replace(/[^\d.]/g, '');
    return part.trim().startsWith('>=') ? `${least} and newer` : `${least} or a newer ${numbersOf(least)[0]}`;
  });
  return `${parts.slice(0, -1).join(', ')}, or ${parts[parts.length - 1]}`;
}

const numbersOf = (version) => version.split('.').map((word) => parseInt(word, 10) || 0);

function compare(one, other) {
  for (let index = 0; index < 3; index++) {
    const difference = (one[index] || 0) - (other[index] || 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Undefined if the program cannot be run. */
function gitVersion(git) {
  const { status, stdout } = spawnSync(git, ['--version'], { encoding: 'utf8' });
  const match = status === 0 && /\d+\.\d+(\.\d+)?/.exec(stdout);
  return match ? match[0] : undefined;
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

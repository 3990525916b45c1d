import { installPackages, missingPackages } from './debian-packages.mjs';
import { debianSource } from './debian-sources.mjs';
import { findProgram } from './find-program.mjs';
import { goFiles } from './go-files.mjs';
import { goPrograms } from './go-programs.mjs';
import { npmPrograms } from './npm-programs.mjs';
import { pipPrograms } from './pip-programs.mjs';
import { peers } from './table.mjs';

/**
 * Finds the programs of the named peers, after installing or building those that are missing.
 *
 * @param {string[]} names as in the table
 * @param {(line: string) => void} log
 * @returns {Promise<Record<string, string>>} absolute paths, by the programs' names
 * @throws Error that says what is missing and how a person gets it
 */
export async function setUp(names, log) {
  const unknown = names.filter((name) => !Object.hasOwn(peers, name));
  if (unknown.length > 0) throw new Error(`tools/peers/table.mjs names no peer ${unknown.join(', ')}.`);
  const wanted = names.map((name) => peers[name]);
  await installMissing(wanted, log);
  const found = {};
  for (const peer of wanted) {
    const folders = await foldersOf(peer, log);
    for (const program of peer.programs) {
      found[program] = await expectProgram(peer.files?.[program] ?? program, folders);
    }
  }
  return found;
}

async function foldersOf({ go, goFiles: files, npm, scripts, pip, debianSource: source, folders }, log) {
  if (go) return [await goPrograms(go, log)];
  if (files) return [await goFiles(files)];
  if (pip) return pipPrograms(pip, log);
  if (source) return [await debianSource(source, log)];
  return npm ? npmPrograms(npm, log, { scripts }) : folders;
}

async function installMissing(wanted, log) {
  const packages = wanted.flatMap((peer) => peer.packages ?? []);
  const missing = packages.length === 0 ? [] : await missingPackages(packages);
  // Without dpkg, programs that a person installed count.
  if (missing.length === 0 || (missing.length === packages.length && (await areFound(wanted)))) return;
  await installPackages(missing, log);
}

async function areFound(wanted) {
  const programs = wanted.flatMap(({ packages, programs, folders }) =>
    packages ? programs.map((program) => findProgram(program, folders)) : [],
  );
  return (await Promise.all(programs)).every(Boolean);
}

async function expectProgram(program, folders) {
  const path = await findProgram(program, folders);
  if (path === undefined) throw new Error(`${program} is still missing after the set-up.`);
  return path;
}

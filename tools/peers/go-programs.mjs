import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withFileLock } from '../file-lock.mjs';
import { findProgram } from './find-program.mjs';
import { runCommand } from './run-command.mjs';

const root = join(import.meta.dirname, '..', '..');
/** Small and quick: no C compiler, no symbols, and as many compilers as CI has processors. */
const BUILD_FLAGS = ['-p', '2', '-trimpath', '-ldflags=-s -w'];

/**
 * The folder of a module's programs: built once for each version of the module and of Go, and kept in the user's cache.
 *
 * @param {{module: string, builds: Record<string, string>}} recipe
 * @param {(line: string) => void} log
 * @returns {Promise<string>}
 * @throws Error when there is no Go or the build fails
 */
export async function goPrograms({ module, builds }, log) {
  const go = await findGo(Object.keys(builds).join(', '));
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plat', 'peers');
  const goVersion = (await runCommand(go, ['version'])).stdout;
  const version = await versionOf(join(root, module), goVersion);
  const folder = join(cache, `${module.split('/').at(-1)}-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const onWait = (pid) => log(`Waiting for process ${pid}, which is building ${module}.`);
  await withFileLock(`${folder}.lock`, { onWait }, async () => {
    if (!existsSync(folder)) await build({ go, module, builds, folder }, log);
  });
  return folder;
}

/**
 * @param {string} wanted what is to be had by Go
 * @returns {Promise<string>} the path of Go's program
 * @throws Error if there is no Go
 */
export async function findGo(wanted) {
  const go = await findProgram('go', ['/usr/local/go/bin', '/usr/lib/go/bin']);
  if (go === undefined) throw new Error(`Go brings ${wanted}, and there is none: https://go.dev/dl`);
  return go;
}

/**
 * A hash of what programs are built from: the module's lock files, its own sources and Go's version. Equal hashes mean
 * equal programs.
 *
 * @param {string} folder the module's
 * @param {string} goVersion
 * @returns {Promise<string>}
 */
export async function versionOf(folder, goVersion) {
  const sources = (await readdir(folder)).filter((name) => name.endsWith('.go')).sort();
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', ...sources]) hash.update(await readFile(join(folder, file)));
  hash.update(goVersion);
  return hash.digest('hex').slice(0, 16);
}

/** Builds in another folder and renames it into place, so that an interrupted build leaves no incomplete programs. */
async function build({ go, module, builds, folder }, log) {
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    for (const [name, source] of Object.entries(builds)) {
      log(`Building ${name} from ${source}. The first time takes minutes.`);
      const args = ['build', ...BUILD_FLAGS, '-o', join(unfinished, name), source];
      const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' };
      const { ok, output } = await runCommand(go, args, { cwd: join(root, module), env });
      if (!ok) throw new Error(`go build ${source} failed:\n${output}`);
    }
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

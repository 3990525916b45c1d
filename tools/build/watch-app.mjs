import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAlive } from '../file-lock.mjs';
import { workspaceRoot } from './bundle.mjs';
import { SourceChanges } from './source-changes.mjs';

/** The folders of the sources that programs are built from. */
const SOURCES = ['apps', 'libs'];
/** Has a folder for each build, whose name begins with the id of the process that made it. */
const BUILDS = join(workspaceRoot, 'dist', 'watch');
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Builds an app and runs it in a process of its own. When a source changes, a new build replaces it: the process is
 * stopped, and the new program starts with the same arguments. A build that fails prints why, and the last good one runs
 * on. If the first program ends by itself, as on a port that is taken, the watch ends with its exit code.
 */
export async function watchApp(projectRoot, args) {
  const changes = new SourceChanges(workspaceRoot, SOURCES);
  for (const signal of STOP_SIGNALS) process.on(signal, () => changes.close());
  await removeLeftBuilds();
  const builds = new Builds(projectRoot);
  let running = undefined;
  const replace = async (build) => {
    const isFirst = running === undefined;
    await running?.stop();
    await running?.build.remove();
    running = changes.isClosed ? undefined : start(build, args, (code) => onEnd(code, { isFirst, changes }));
    if (running === undefined) await build.remove();
  };
  const first = await builds.next();
  if (first !== undefined) await replace(first);
  for (let changed = await changes.next(); changed !== undefined; changed = await changes.next()) {
    const cause = builds.causeOf(changed);
    if (cause === undefined) continue;
    say(`${cause} has changed.`);
    const build = await builds.next();
    if (build !== undefined) await replace(build);
  }
  await running?.stop();
  await running?.build.remove();
}

function onEnd(code, { isFirst, changes }) {
  if (changes.isClosed) return;
  if (isFirst) {
    process.exitCode = code;
    changes.close();
  } else {
    say(`The program has ended (${code}). The next change starts it again.`);
  }
}

/** Starts a build's program. It ends with this process, which it hears from the end of their channel. */
function start(build, args, onOwnEnd) {
  const child = spawn(process.execPath, [join(build.outdir, 'main.js'), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let isStopped = false;
  const ended = once(child, 'exit').then(([code]) => {
    if (!isStopped) onOwnEnd(code ?? 1);
  });
  const stop = async () => {
    isStopped = true;
    child.kill('SIGTERM');
    await ended;
  };
  return { build, stop };
}

/** Removes the builds of watches that were killed. */
async function removeLeftBuilds() {
  await mkdir(BUILDS, { recursive: true });
  const left = (await readdir(BUILDS)).filter((name) => !isAlive(parseInt(name, 10)));
  await Promise.all(left.map((name) => rm(join(BUILDS, name), { recursive: true, force: true })));
}

/** The builds of an app, each in a folder of its own: a running program still reads files of its own build. */
class Builds {
  #projectRoot;
  #count = 0;
  /** Undefined if the newest build has failed. */
  #newest;

  constructor(projectRoot) {
    this.#projectRoot = projectRoot;
  }

  /** Builds the app. @returns undefined if that fails, which is printed */
  async next() {
    const outdir = join(BUILDS, `${process.pid}.${this.#count++}`);
    const remove = () => rm(outdir, { recursive: true, force: true });
    const recipe = join(workspaceRoot, this.#projectRoot, 'build.mjs');
    const { default: build } = await import(pathToFileURL(recipe).href);
    try {
      const { metafiles, folders } = await build({ outdir });
      const files = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs)));
      this.#newest = { outdir, files, folders, remove };
    } catch (error) {
      // esbuild itself has printed the errors that it found in sources.
      if (!Array.isArray(error.errors)) say(error.message);
      say('The build has failed. The next change builds again; what runs, runs on.');
      await remove();
      this.#newest = undefined;
    }
    return this.#newest;
  }

  /** The file whose change asks for a new build, if any does. After a build that failed, any file may mend it. */
  causeOf(changed) {
    if (this.#newest === undefined) return changed[0];
    const { files, folders } = this.#newest;
    return changed.find((path) => files.has(path) || folders.some((folder) => path.startsWith(`${folder}/`)));
  }
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

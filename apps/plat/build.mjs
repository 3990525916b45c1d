/**
 * The client's own build. Usage: node apps/plat/build.mjs [--if-stale]
 * With --if-stale it builds only if the bundle is missing or older than its sources.
 * Prints the path of the entry.
 */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundle, workspaceRoot } from '../../tools/build/bundle.mjs';
import { withFileLock } from '../../tools/file-lock.mjs';
import {
  asciiExpressions,
  demandAscii,
  lateOclif,
  leanAxios,
  leanKubernetes,
  leanOclif,
} from './lazy-modules.mjs';

const source = (file) => join('apps', 'plat', 'src', file);
const dist = join(workspaceRoot, 'dist', 'apps');
const outdir = join(dist, 'plat');
const entry = join(outdir, 'plat.js');
const INPUTS = 'inputs.json';
/** V8 makes the same cache twice with them, and takes it in a process without them. */
const SAME_CACHE = ['--predictable', '--random-seed=1'];
/** The runtime chart, which is part of the client's package. */
const CHART = join('deploy', 'charts', 'runtime');
/** Imports of large libraries that few commands use. They are bundled into files of their own. */
const LARGE = [
  '*/config-library.js',
  '*/mcp-library.js',
  '*/octokit-library.js',
  '*/opentelemetry-library.js',
  '*/verifier-library.js',
];

/**
 * Builds the client into a folder, which is its final place: `plat.js` is a thin entry that answers `--version` itself; `cli.js` holds everything else,
 * including npm packages, and evaluates each command on demand; `cli.js.cache` is V8's code cache for it;
 * `portforward.js` is the process of a port forward, which `plat open` starts; `verifier-worker.js` the one that judges a merge.
 *
 * @param {{outdir?: string}} [place] default: dist/apps/plat
 */
export default function buildPlat({ outdir: place = outdir } = {}) {
  return locked(() => build(place));
}

/** The client's entry, built first if it is stale. */
export async function freshPlat() {
  if (!(await isFresh())) await locked(async () => (await isFresh()) || build(outdir));
  return entry;
}

function locked(work) {
  return withFileLock(join(dist, '.plat.lock'), {}, work);
}

async function build(place) {
  const { version } = JSON.parse(await readFile(join(workspaceRoot, 'package.json'), 'utf8'));
  const fresh = join(dirname(place), `.${basename(place)}-${process.pid}`);
  const { metafile, metafiles } = await bundleInto(fresh, version);
  await demandAscii(join(fresh, 'cli.js'));
  // The path of a module that a plugin creates begins with the plugin's name and a colon.
  const ours = Object.keys(metafile.inputs).filter((path) => !/^node_modules\/|:/.test(path));
  await cp(join(workspaceRoot, CHART), join(fresh, 'chart'), { recursive: true });
  const inputs = [
    ...ours,
    ...(await chartPaths()),
    'package-lock.json',
    source('../build.mjs'),
    source('../lazy-modules.mjs'),
    'tools/build/bundle.mjs',
  ];
  await writeFile(join(fresh, INPUTS), JSON.stringify(inputs));
  const manifest = { name: 'plat', version, private: true, type: 'commonjs', bin: { plat: 'plat.js' } };
  await writeFile(join(fresh, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  // The package's command runs this file itself.
  await chmod(join(fresh, 'plat.js'), 0o755);
  const warmUp = join(fresh, 'warm-up.js');
  await Promise.all([rename(warmUp, `${fresh}.js`), rm(`${warmUp}.map`)]);
  await rm(place, { recursive: true, force: true });
  await rename(fresh, place);
  await writeCodeCache(`${fresh}.js`, place);
  return { metafiles };
}

/** The chart's files and folders: a folder changes when a file is added or removed. */
async function chartPaths() {
  const names = await readdir(join(workspaceRoot, CHART), { recursive: true });
  return [CHART, ...names.sort().map((name) => join(CHART, name))];
}

function bundleInto(folder, version) {
  return bundle({
    entryPoints: {
      plat: source('main.ts'),
      cli: source('start/cli.ts'),
      'warm-up': source('start/warm-up.ts'),
      portforward: join('apps', 'portforward', 'src', 'main.ts'),
      'config-library': source('config/config-library.ts'),
      'mcp-library': source('mcp/mcp-library.ts'),
      'octokit-library': source('forge/octokit-library.ts'),
      'verifier-library': source('before-push/verifier-library.ts'),
      'verifier-worker': 'libs/verifier/src/worker/verifier-worker.ts',
      'opentelemetry-library': join('libs', 'telemetry', 'src', 'opentelemetry-library.ts'),
    },
    outdir: folder,
    bundlePackages: true,
    plugins: [leanAxios, leanOclif, leanKubernetes, lateOclif, asciiExpressions],
    options: {
      minify: true,
      define: { PLAT_VERSION: JSON.stringify(version) },
      // In development oclif would transpile a client that has them.
      external: ['typescript', 'ts-node', ...LARGE],
    },
  });
}

/** Writes the cache in the bundle's final place, because it keeps the path that stack traces show. */
async function writeCodeCache(warmUp, place) {
  const home = await mkdtemp(join(tmpdir(), 'plat-build-'));
  await promisify(execFile)(process.execPath, [...SAME_CACHE, warmUp, join(place, 'cli.js'), home]);
  await Promise.all([home, warmUp].map((path) => rm(path, { recursive: true })));
}

async function isFresh() {
  try {
    const { mtimeMs } = await stat(entry);
    const inputs = JSON.parse(await readFile(join(outdir, INPUTS), 'utf8'));
    const changes = await Promise.all(inputs.map((path) => stat(join(workspaceRoot, path))));
    return changes.every((input) => input.mtimeMs < mtimeMs);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv[2] === '--if-stale') await freshPlat();
  else await buildPlat();
  process.stdout.write(`${entry}\n`);
}

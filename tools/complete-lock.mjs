/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out, which it does when the
 * registry at hand carries only some platforms. `npm ci` refuses a lock file without them, on every machine.
 * Then asks the registry for each hash that the file lacks: npm writes none for a package that it did not fetch.
 * Usage, after npm install: node tools/complete-lock.mjs
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { placesWithoutHash } from './check/hashes/hashes.mjs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * The entries that a lock file's packages ask for and the lock file lacks, by their place in it.
 * @param {Record<string, any>} packages the `packages` of a lock file
 * @returns {Record<string, object>}
 */
export function missingPlatformPackages(packages) {
  const missing = {};
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      const version = range.replace(/^[~^]/, '');
      const found = resolve({ ...packages, ...missing }, path, name);
      if (found?.version === version || (found && range !== version)) continue;
      // The package goes to the root if its place there is free, else below the package that wants it.
      missing[found ? `${path}/node_modules/${name}` : `node_modules/${name}`] = entry(name, version, dev);
    }
  }
  return missing;
}

/** Returns the package that Node finds when the package at `path` asks for `name`. */
function resolve(packages, path, name) {
  for (let place = path; ; place = place.slice(0, Math.max(place.lastIndexOf('/node_modules/'), 0))) {
    const found = packages[`${place === '' ? '' : `${place}/`}node_modules/${name}`];
    if (found || place === '') return found;
  }
}

/** An entry of the lock file. Without its `os` and `cpu`, npm would try to install the package on this machine. */
function entry(name, version, dev) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  if (!os || !cpu) {
    throw new Error(`${name} does not name its platform: add it to package-lock.json by hand.`);
  }
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
  return {
    version,
    cpu: [cpu],
    dev: dev || undefined,
    libc: os === 'linux' ? [libc] : undefined,
    optional: true,
    os: [os],
  };
}

/** An entry with what the registry says of its package: the hash, and what npm writes of it besides. */
async function withHash(path, entry) {
  const spec = `${entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`;
  const asked = ['view', '--json', spec, 'dist.integrity', 'license', 'engines'];
  const { stdout } = await promisify(execFile)('npm', asked, { shell: process.platform === 'win32' });
  const { 'dist.integrity': integrity, license, engines } = stdout.trim() === '' ? {} : JSON.parse(stdout);
  if (!integrity) throw new Error(`the registry knows no hash of ${spec}`);
  const { version, cpu, dev, libc, optional, os, ...rest } = entry;
  return { version, integrity, cpu, dev, libc, license, optional, os, engines, ...rest };
}

async function completeLock() {
  const file = join(import.meta.dirname, '..', 'package-lock.json');
  const lock = JSON.parse(await readFile(file, 'utf8'));
  const missing = missingPlatformPackages(lock.packages);
  const packages = { ...lock.packages, ...missing };
  const places = placesWithoutHash(packages);
  for (const place of places) packages[place] = await withHash(place, packages[place]);
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  const count = Object.keys(missing).length;
  process.stdout.write(`added ${count} packages of other platforms, and ${places.length} hashes\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) void completeLock();

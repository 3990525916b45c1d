import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from './file-lock.mjs';
import { adviceOf } from './install-failure.mjs';

/**
 * Installs the packages of the lock file if node_modules is missing or different.
 * If two run at once, the second waits for the first and then finds nothing to do.
 *
 * @param {{root?: string, log?: (line: string) => void, npmCi?: (root: string) => Promise<number>}} [options]
 * @returns {Promise<number>} the exit code: 0, or that of the failed `npm ci`.
 */
export async function ensureInstalled({ root = defaultRoot(), log = toStderr, npmCi = runNpmCi } = {}) {
  if ((await staleness(root)) === undefined) return 0;
  const onWait = (pid) => log(`Waiting for process ${pid}, which is installing packages.`);
  return withFileLock(join(root, 'dist', 'install.lock'), { onWait }, async () => {
    const reason = await staleness(root);
    if (reason === undefined) return 0;
    const start = performance.now();
    log(`Installing packages (npm ci): ${reason}. This takes a minute or two.`);
    const code = await npmCi(root);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    log(code === 0 ? `Packages installed in ${seconds} s.` : `npm ci failed with exit code ${code}.`);
    return code;
  });
}

/** Why node_modules is not what the lock file says; undefined when it is. npm notes what it installed as its last act. */
async function staleness(root) {
  const wanted = await readPackages(join(root, 'package-lock.json'));
  if (wanted === undefined) throw new Error('package-lock.json is missing or unreadable.');
  const present = await readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (present === undefined) return 'node_modules is missing or incomplete';
  for (const [path, { version, integrity, optional }] of Object.entries(wanted)) {
    const there = present[path];
    // Most optional packages are for other platforms. A branch's lock file may have other content under the same version.
    const differs =
      there === undefined ? !optional : there.version !== version || there.integrity !== integrity;
    if (path !== '' && differs) return 'package-lock.json changed since the last installation';
  }
  return undefined;
}

async function readPackages(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Installs without any package's own scripts, then runs those of the packages that `allowScripts` of package.json allows:
 * an npm that does not know that field would run all of them.
 */
async function runNpmCi(root) {
  const code = await npm(root, ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund']);
  const allowed = code === 0 ? await allowedScripts(root) : [];
  if (allowed.length === 0) return code;
  // An interruption here leaves the installation incomplete.
  const [note, kept] = ['.package-lock.json', '.package-lock.kept.json'].map((name) =>
    join(root, 'node_modules', name),
  );
  await rename(note, kept);
  const rebuilt = await npm(root, ['rebuild', '--ignore-scripts=false', ...allowed]);
  if (rebuilt === 0) await rename(kept, note);
  return rebuilt;
}

/** The installed packages whose install scripts may run; those of other platforms are not installed. */
export async function allowedScripts(root) {
  const { allowScripts = {} } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && existsSync(join(root, 'node_modules', name)),
  );
}

/** The output of npm goes to stderr: stdout belongs to the command that follows. A failure is followed by what to do. */
async function npm(root, given) {
  const args = [...given, '--loglevel=error'];
  const program = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['ignore', 2, 'pipe'] };
  const child = program?.endsWith('.js')
    ? spawn(process.execPath, [program, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
    process.stderr.write(chunk);
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (ended) => resolve(ended ?? 1));
  });
  const advice = code === 0 ? undefined : adviceOf(output, root);
  if (advice !== undefined) toStderr(advice);
  return code;
}

function defaultRoot() {
  return join(import.meta.dirname, '..');
}

function toStderr(line) {
  process.stderr.write(`${line}\n`);
}

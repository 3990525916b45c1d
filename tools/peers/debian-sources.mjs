import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installedOnce } from './installed-once.mjs';
import { runCommand } from './run-command.mjs';

const MIRROR = 'http://deb.debian.org/debian';

/**
 * The folder of a program that is built from the source archive of a newer Debian, whose own packages would not run
 * here: built once for each content of `source.json`, and kept in the user's cache. apt works in a folder of its own, so
 * no setting of the machine changes.
 *
 * @param {string} folder with `source.json`: suite, package, archive and its SHA-256, arguments of configure, the program
 *   that make builds, and the name that it gets
 * @param {(line: string) => void} log
 * @returns {Promise<string>}
 * @throws Error with the words of apt, configure or make when one of them fails, or if the archive is another
 */
export async function debianSource(folder, log) {
  return installedOnce({ folder, files: ['source.json'] }, async (cwd) => {
    const source = JSON.parse(await readFile(join(cwd, 'source.json'), 'utf8'));
    log(`Building ${source.archive} of Debian.`);
    await download(source, cwd);
    await expectDigest(join(cwd, source.archive), source.sha256);
    const built = join(cwd, 'source');
    await mkdir(built);
    await run('tar', ['--extract', '--strip-components=1', `--file=../${source.archive}`], built);
    await run('./configure', source.configure, built);
    await run('make', [source.program], built);
    await rename(join(built, source.program), join(cwd, source.as));
  });
}

async function download({ suite, package: name }, cwd) {
  await writeFile(join(cwd, 'sources.list'), `deb-src ${MIRROR} ${suite} main\n`);
  await Promise.all(['lists/partial', 'cache'].map((part) => mkdir(join(cwd, part), { recursive: true })));
  const own = [
    `Dir::Etc::sourcelist=${cwd}/sources.list`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${cwd}/lists`,
    `Dir::Cache=${cwd}/cache`,
    'APT::Sandbox::User=',
  ].flatMap((setting) => ['-o', setting]);
  await run('apt-get', [...own, 'update'], cwd);
  await run('apt-get', [...own, 'source', '--download-only', name], cwd);
}

async function expectDigest(file, wanted) {
  const found = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  if (found !== wanted) throw new Error(`${file} has the SHA-256 ${found}, and ${wanted} was expected.`);
}

async function run(command, args, cwd) {
  const { ok, output } = await runCommand(command, args, { cwd });
  if (!ok) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
}

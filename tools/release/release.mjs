import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../peers/run-command.mjs';
import { withRelease } from './commits.mjs';

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const CHARTS = 'deploy/charts/*/Chart.yaml';

/**
 * Makes a release of the commit that is checked out: the version in package.json, its lock file and the charts, the
 * section of CHANGELOG.md, a commit, and the tag `v<version>`. Nothing is pushed.
 *
 * @param {object} order
 * @param {string} order.root
 * @param {string} order.version
 * @param {boolean} order.dryRun prints what would change, and changes nothing
 * @param {(line: string) => void} order.print
 * @param {() => Promise<boolean>} order.check whether all checks pass
 * @param {() => Promise<boolean>} order.generate makes what is made from the changed files; whether that succeeded
 * @throws Error if the version is none, files differ from the commit, the tag exists, or a check fails
 */
export async function release({ root, version, dryRun, print, check, generate }) {
  if (!VERSION.test(version)) throw new Error(`'${version}' is no version, such as 1.2.3.`);
  const git = (...args) => succeed(root, 'git', args);
  const changes = await git('status', '--porcelain');
  if (changes !== '') {
    throw new Error(`A release is made of a commit, and these files differ from it:\n${changes}`);
  }
  if ((await git('tag', '--list', `v${version}`)) !== '') throw new Error(`The tag v${version} exists.`);
  const files = await filesOf({ root, version, git });
  if (!(await check())) throw new Error('npm run check fails: there is no release of this commit.');
  for (const [file, { before, after }] of files) {
    print(`${file}: ${before === after ? 'as it is' : 'changed'}`);
  }
  print(`${dryRun ? 'would tag' : 'tagged'} v${version}`);
  if (dryRun) return;
  for (const [file, { after }] of files) await writeFile(join(root, file), after);
  if (!(await generate())) {
    throw new Error('What is made from the version was not made. git checkout . undoes the rest.');
  }
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--message', `release: ${version}`);
  await git('tag', '--annotate', '--message', `plat ${version}`, `v${version}`);
}

/** The files of a release, as they are and as they are to be. */
async function filesOf({ root, version, git }) {
  const last = (await git('tag', '--list', 'v*', '--sort=-creatordate', '--merged', 'HEAD')).split('\n')[0];
  const log = ['log', '--no-merges', '--format=%s', ...(last === '' ? [] : [`${last}..HEAD`])];
  const subjects = (await git(...log)).split('\n').filter((subject) => subject !== '');
  const date = (await git('log', '-1', '--format=%cs')).trim();
  const changed = {
    'package.json': (text) => text.replace(/^(  "version": )"[^"]+"/m, `$1"${version}"`),
    'package-lock.json': (text) =>
      text
        .replace(/("version": )"[^"]+"/, `$1"${version}"`)
        .replace(/("packages": \{\s+"": \{\s+"name": "[^"]+",\s+"version": )"[^"]+"/, `$1"${version}"`),
    'CHANGELOG.md': (text) => withRelease(text, { version, date, subjects }),
  };
  for (const chart of (await git('ls-files', CHARTS)).split('\n').filter(Boolean)) {
    changed[chart] = (text) => text.replace(/^((?:appV|v)ersion: ).+$/gm, `$1${version}`);
  }
  const read = async ([file, change]) => {
    const before = await readFile(join(root, file), 'utf8');
    return [file, { before, after: change(before) }];
  };
  return new Map(await Promise.all(Object.entries(changed).map(read)));
}

async function succeed(root, program, args) {
  const { ok, stdout, output } = await runCommand(program, args, { cwd: root });
  if (!ok) throw new Error(`${program} ${args[0]} failed:\n${output}`);
  return stdout.trim();
}

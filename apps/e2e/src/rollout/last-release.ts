import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { buildPrograms, execFile, type Programs, programsIn } from '@plat/testing';

const run = promisify(execFile);
const LOCK = 'package-lock.json';
export const SCHEMA_VERSION = 'libs/database/src/schema-version.ts';
const MIGRATIONS = 'libs/database/migrations';

/** Bundles the database job with its packages; it finds the SQL two levels above. */
const BUILD_THE_JOB = `
  const { bundle } = await import(process.cwd() + '/tools/build/bundle.mjs');
  await bundle({ entryPoints: { main: 'tools/db/main.ts' }, outdir: 'programs/db', bundlePackages: true });`;

/** The services of the last release, built from its own sources with its own lock file. */
export interface LastRelease {
  /** Its tag or commit. */
  name: string;
  programs: Programs;
  /** The file that has the version of its schema. */
  schemaVersion: string;
  /** Migrates a database as its release does: to its own newest schema. */
  migrate(ownerUrl: string): Promise<void>;
}

/**
 * Fetches the last release from git and builds it: the newest tag `v*` below this commit. Without a tag it is the newest
 * commit that edited a migration. It is built once, and kept in the user's cache.
 *
 * @throws Error if this clone has no such commit, or the release does not build
 */
export async function buildLastRelease(log: (line: string) => void): Promise<LastRelease> {
  const { name, commit } = await findLastRelease();
  // eslint-disable-next-line no-restricted-properties -- the run's own setting
  const { PLAT_TEST_CACHE } = process.env;
  if (PLAT_TEST_CACHE === undefined) throw new Error('PLAT_TEST_CACHE is set by the setup of each test run.');
  const cache = join(PLAT_TEST_CACHE, 'releases');
  const folder = join(cache, commit);
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    const unfinished = await mkdtemp(`${folder}.`);
    try {
      await checkOut(commit, unfinished);
      await giveModules(unfinished, log);
      log(`Building the services of ${name}.`);
      await buildPrograms(unfinished, join(unfinished, 'programs'));
      await run(process.execPath, ['--input-type=module', '--eval', BUILD_THE_JOB], { cwd: unfinished });
      await rm(join(unfinished, 'node_modules'), { recursive: true });
      // Another run may have been quicker: its build is the same.
      if (!existsSync(folder)) await rename(unfinished, folder);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return {
    name,
    programs: programsIn(join(folder, 'programs')),
    schemaVersion: await readFile(join(folder, SCHEMA_VERSION), 'utf8'),
    migrate: async (ownerUrl) => {
      await run(process.execPath, [join(folder, 'programs', 'db', 'main.js'), 'migrate'], {
        env: { DATABASE_URL: ownerUrl },
      });
    },
  };
}

async function findLastRelease(): Promise<{ name: string; commit: string }> {
  const cwd = workspaceRoot();
  const git = async (...args: string[]) => (await run('git', args, { cwd })).stdout.trim();
  const [tag] = (await git('tag', '--merged', 'HEAD', '--sort=-v:refname', '--list', 'v*')).split('\n');
  // Until a release is tagged, a migration may still be edited. The newest commit that did so stands for the release.
  const edited = [
    '--first-parent',
    '-m',
    '--diff-filter=MDRT',
    '--format=%H',
    '--max-count=1',
    '--',
    MIGRATIONS,
  ];
  const name = tag || (await git('log', ...edited));
  try {
    return { name, commit: await git('rev-parse', '--verify', '--quiet', `${name}^{commit}`) };
  } catch {
    throw new Error(
      'This clone has no last release: fetch the whole history (git fetch --unshallow --tags).',
    );
  }
}

async function checkOut(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'archive.tar');
  await run('git', ['archive', '--output', archive, commit], { cwd: workspaceRoot() });
  await run('tar', ['--extract', '--file', archive, '--directory', folder]);
  await rm(archive);
}

/** Its packages: those of this tree if the lock files are equal, else those of its own lock file. */
async function giveModules(folder: string, log: (line: string) => void): Promise<void> {
  const [own, its] = await Promise.all(
    [workspaceRoot(), folder].map((root) => readFile(join(root, LOCK), 'utf8')),
  );
  if (own === its) {
    log("The last release has this tree's lock file: its packages are those of this tree.");
    await symlink(join(workspaceRoot(), 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  log('Installing the packages of the last release, whose lock file is another.');
  await run('npm', ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

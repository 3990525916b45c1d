/**
 * Builds the image of a project from the commit that is checked out, with buildah, into dist/images/<name>: a folder in
 * OCI's layout, which skopeo copies to a registry. Two builds of one commit give the same digest.
 * Usage: node tools/images/image.mjs <project root> [arguments of buildah build]
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { workspaceRoot } from '../build/bundle.mjs';
import { measure } from './oci-layout.mjs';

/** The image of a runtime pod has git, OpenSSH and a shell besides. */
const LIMITS_MB = { 'plat-runtime': 500 };
const LIMIT_MB = 200;
const [projectRoot, ...more] = process.argv.slice(2);
if (!projectRoot) {
  throw new Error('usage: node tools/images/image.mjs <project root> [arguments of buildah build]');
}
const name = `plat-${basename(projectRoot)}`;
/** The project's own Dockerfile, otherwise that of the services. */
const own = join(projectRoot, 'Dockerfile');
const recipe = existsSync(join(workspaceRoot, own)) ? own : join('deploy', 'images', 'Dockerfile');

/** Runs a program in the repository, its messages on this terminal. @returns what it prints on stdout */
async function run(program, args, options = {}) {
  const child = spawn(program, args, {
    cwd: workspaceRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
  const code = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [output, ended] = await Promise.all([text(child.stdout), code]);
  if (ended !== 0) throw new Error(`${program} ${args[0]} ended with ${ended}`);
  return output.trim();
}

/** The commit's files alone: what else lies in the folder must not get into an image that names the commit. */
async function checkOutCommit(folder) {
  const archive = join(folder, 'source.tar');
  const context = join(folder, 'source');
  await mkdir(context);
  await run('git', ['archive', '--format=tar', `--output=${archive}`, 'HEAD']);
  await run('tar', ['--extract', `--file=${archive}`, `--directory=${context}`]);
  return context;
}

async function build(folder) {
  const [revision, time] = (await run('git', ['log', '-1', '--format=%H %ct'])).split(' ');
  const { version } = JSON.parse(await readFile(join(workspaceRoot, 'package.json'), 'utf8'));
  const context = await checkOutCommit(folder);
  const values = {
    PROJECT: projectRoot,
    NAME: name,
    VERSION: version,
    REVISION: revision,
    SOURCE_DATE_EPOCH: time,
  };
  const idFile = join(folder, 'id');
  await run(
    'buildah',
    [
      ...['build', '--layers=false', '--identity-label=false', `--timestamp=${time}`, `--iidfile=${idFile}`],
      ...['--file', join(context, recipe)],
      ...Object.entries(values).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
      ...['--tag', `localhost/${name}:${version}`],
      ...more,
      context,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const layout = join(workspaceRoot, 'dist', 'images', name);
  await rm(layout, { recursive: true, force: true });
  await mkdir(join(workspaceRoot, 'dist', 'images'), { recursive: true });
  await run('buildah', ['push', '--quiet', await readFile(idFile, 'utf8'), `oci:${layout}:${version}`]);
  return layout;
}

const changes = await run('git', ['status', '--porcelain']);
if (changes !== '') {
  throw new Error(`An image is built from a commit, and these files differ from it:\n${changes}`);
}
const folder = await mkdtemp(join(tmpdir(), `${name}-`));
try {
  const layout = await build(folder);
  const { digest, bytes, compressedBytes } = await measure(layout);
  const mb = (count) => (count / 1e6).toFixed(1);
  process.stdout.write(`${name} ${digest} ${mb(bytes)} MB, ${mb(compressedBytes)} MB to pull\n`);
  await writeFile(`${layout}.digest`, `${digest}\n`);
  const limit = LIMITS_MB[name] ?? LIMIT_MB;
  if (bytes > limit * 1e6) throw new Error(`${name} is larger than ${limit} MB.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

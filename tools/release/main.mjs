import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readLayout } from '../images/oci-layout.mjs';
import { runCommand } from '../peers/run-command.mjs';
import { sectionOf } from './commits.mjs';
import { attest, provenanceOf, verified } from './provenance.mjs';
import { release } from './release.mjs';

const root = join(import.meta.dirname, '..', '..');
const IMAGES = join('dist', 'images');
const USAGE = `npm run release -- <command>
  <version> [--dry-run]     makes the release of this commit: versions, CHANGELOG.md, commit, tag; pushes nothing
  notes                     prints the commits since the last release, as CHANGELOG.md gets them
  attest --key FILE [--builder URI]
                            signs what the images in dist/images were built from, into dist/images/provenance.json
  verify --key FILE --file BUNDLE <name>@<digest>…
                            says whether the key's owner attests these images, and of which commit they are`;

const print = (line) => void process.stdout.write(`${line}\n`);

export async function main(args) {
  await run(args).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}

async function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      key: { type: 'string' },
      file: { type: 'string' },
      builder: { type: 'string', default: 'urn:plat:builder:by-hand' },
    },
  });
  const [command, ...rest] = positionals;
  if (command === 'notes') return print(sectionOf(await commitsSinceRelease()));
  if (command === 'attest' && values.key) return attestImages(values);
  if (command === 'verify' && values.key && values.file && rest.length > 0) return verifyImages(values, rest);
  if (!/^\d/.test(command ?? '')) throw new Error(USAGE);
  const tool =
    (...words) =>
    async () => {
      const { ok, output } = await runCommand(process.execPath, [join(root, 'tools', 'run.mjs'), ...words], {
        cwd: root,
      });
      if (!ok) process.stderr.write(output);
      return ok;
    };
  const generate = async () => (await tool('generate')()) && (await tool('golden')());
  await release({ root, version: command, dryRun: values['dry-run'], print, check: tool('check'), generate });
}

async function git(...args) {
  const { ok, stdout, output } = await runCommand('git', args, { cwd: root });
  if (!ok) throw new Error(output);
  return stdout.trim();
}

async function commitsSinceRelease() {
  const last = (await git('tag', '--list', 'v*', '--sort=-creatordate', '--merged', 'HEAD')).split('\n')[0];
  const range = last === '' ? [] : [`${last}..HEAD`];
  return (await git('log', '--no-merges', '--format=%s', ...range)).split('\n').filter(Boolean);
}

async function attestImages({ key, builder }) {
  const names = (await readdir(join(root, IMAGES), { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  );
  if (names.length === 0) throw new Error(`There is no image in ${IMAGES}: npx nx run-many --targets=image`);
  const images = await Promise.all(
    names.map(async ({ name }) => ({ name, ...(await readLayout(join(root, IMAGES, name))) })),
  );
  const labels = images.map(({ config }) => config.config.Labels);
  const [revision, ...others] = new Set(labels.map((label) => label['org.opencontainers.image.revision']));
  if (others.length > 0) {
    throw new Error(`The images are of several commits: ${[revision, ...others].join(', ')}`);
  }
  const statement = provenanceOf({
    images,
    bases: await basesOf(revision),
    revision,
    version: labels[0]['org.opencontainers.image.version'],
    builder,
  });
  const file = join(IMAGES, 'provenance.json');
  const bundle = await attest(statement, await readFile(key, 'utf8'));
  await writeFile(join(root, file), `${JSON.stringify(bundle)}\n`);
  for (const { name, digest } of images) print(`${name}@${digest}`);
  print(`attested in ${file}`);
}

/** The bases that the Dockerfiles of the commit name, each once. */
async function basesOf(revision) {
  const files = ['deploy/images/Dockerfile', 'deploy/images/runtime/Dockerfile'];
  const texts = await Promise.all(files.map((file) => git('show', `${revision}:${file}`)));
  const named = texts
    .flatMap((text) => [...text.matchAll(/^ARG \w+=(\S+)@(sha256:[0-9a-f]{64})$/gm)])
    .map(([, name, digest]) => [`${name}@${digest}`, { name, digest }]);
  return [...new Map(named).values()];
}

async function verifyImages({ key, file }, wanted) {
  const bundle = JSON.parse(await readFile(file, 'utf8'));
  const { subject, predicate } = await verified(bundle, await readFile(key, 'utf8'));
  const attested = new Set(subject.map(({ name, digest }) => `${name}@sha256:${digest.sha256}`));
  const others = wanted.filter((image) => !attested.has(basename(image)));
  if (others.length > 0) throw new Error(`not attested: ${others.join(', ')}`);
  const source = predicate.buildDefinition.resolvedDependencies.find(({ name }) => name === 'source');
  print(`attested: ${wanted.join(', ')}, built from commit ${source.digest.gitCommit}`);
}

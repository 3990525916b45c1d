import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuilderDouble } from '../black-box/builder-double';
import { GateCheckout } from '../black-box/gate-checkout';
import { ended, said } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';

const DOCKERFILE = 'FROM base AS tools\nFROM tools AS test\nFROM tools\nCOPY --from=test /test /test\n';
const ENVIRONMENT_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const IN_POD = { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'dev' };

interface Built {
  version: string;
  commitId: string;
  images: string[];
  pushed: string[];
  testStage: { cached: number; executed: number };
  replay: boolean;
  report?: { reported: boolean; reason?: string };
}

const BUILD_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';

describe('plat build', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  /** A signed-in machine with a builder, and a checkout with these files next to VERSION. */
  async function setUp(files: Record<string, string> = { Dockerfile: DOCKERFILE }) {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    const builder = await BuilderDouble.install(machine);
    const checkout = await GateCheckout.create(machine);
    const commitId = await checkout.commit({ VERSION: '1.4.0\n', ...files }, 'Begin to build');
    platform.answer('GET /v1/environments', {
      body: [
        { environmentId: '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e99', name: 'dev' },
        { environmentId: ENVIRONMENT_ID, name: 'dev', namespace: 'acme-dev' },
      ],
    });
    platform.answer('POST /v1/builds', { body: { buildId: BUILD_ID } });
    const env = (more: Record<string, string> = {}) => ({ ...builder.variables, ...more });
    const options = (more?: Record<string, string>) => ({ cwd: checkout.folder, env: env(more) });
    return {
      machine,
      platform,
      builder,
      checkout,
      commitId,
      options,
      build: (args: string[] = [], more?: Record<string, string>) =>
        machine.plat(['build', '--json', ...args], options(more)),
    };
  }

  const registries = (...names: string[]) => ({
    PLAT_CONTAINER_REGISTRIES: JSON.stringify(names.map((registry) => ({ registry, roles: ['build'] }))),
  });
  const lines = async (builder: BuilderDouble) =>
    (await builder.calls()).map(({ argv }) => argv.join(' ').replace(/--iidfile=\S+/, '--iidfile=ID'));

  it('with --gate runs the test stage of every image, and names them', async () => {
    const worker = 'FROM base\nRUN echo $((1<<4))\nFROM base AS test\nRUN true\nFROM base\n';
    const files = { Dockerfile: DOCKERFILE, 'docker/worker/Dockerfile': worker };
    const { machine, builder, options } = await setUp(files);
    const run = await machine.plat(['build', '--gate', '--no-push'], options());
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('tested by stage test of origin, origin-worker');
    const tests = (await lines(builder)).filter((line) => line.includes('--target=test'));
    expect(tests.map((line) => /--file=\S+?((?:docker\/worker\/)?Dockerfile)/.exec(line)?.[1])).toEqual([
      'Dockerfile',
      'docker/worker/Dockerfile',
    ]);
  });

  it.each([
    ['an unknown alias', ['--alias', 'gone'], 'There is no alias named gone'],
    ['a platform that refuses', [], 'is not registered'],
  ])('succeeds even if the report cannot complete: %s', async (_what, args, reason) => {
    const { build, platform } = await setUp();
    platform.answer('GET /v1/environments', { body: [] });
    const run = await build([...args, '--debug'], IN_POD);
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('The build is not reported: ') });
    expect(run.json<Built>().report).toMatchObject({
      reported: false,
      reason: expect.stringContaining(reason),
    });
  });

  describe("to the platform's own registry", () => {
    const OWN = registries('registry.example/acme');

    async function withRegistry() {
      const set = await setUp();
      const run = await set.machine.plat(['config', 'set', 'platform.registry', 'registry.example']);
      expect(run.code).toBe(0);
      return set;
    }

    it('leaves its sign-in if it is killed with -9 in the push, and the next build removes it', async () => {
      const { build, builder, machine } = await withRegistry();
      const temporary = join(machine.home, 'tmp');
      await mkdir(temporary);
      const signIns = async () =>
        (await readdir(temporary)).filter((name) => name.startsWith('plat-docker-'));
      await builder.killClient('push');
      expect((await build([], { ...OWN, TMPDIR: temporary })).code).toBeNull();
      expect(await signIns()).toHaveLength(1);
      expect((await build(['--gate', '--no-push'], { TMPDIR: temporary })).code).toBe(0);
      expect(await signIns()).toEqual([]);
    });
  });

  describe('by a build script', () => {
    async function setUpScript(script: string) {
      const set = await setUp({ Dockerfile: DOCKERFILE, 'build.sh': script });
      await chmod(join(set.checkout.folder, 'build.sh'), 0o755);
      return set;
    }

    it("gets the operator's token for the platform's registry if the person says so, and not else", async () => {
      const { build, machine, checkout } = await setUpScript(
        '#!/bin/sh\ncp "${DOCKER_CONFIG:-/nowhere}/config.json" sign-in || echo none > sign-in\n',
      );
      await machine.plat(['config', 'set', 'platform.registry', 'registry.example']);
      const own = registries('registry.example/acme');
      const signIn = () => readFile(join(checkout.folder, 'sign-in'), 'utf8');
      const without = await build([], own);
      expect([without.code, await signIn()]).toEqual([0, 'none\n']);
      expect(without.stderr).toContain('build.sh gets no sign-in to registry.example/acme.');
      const trusted = await build(['--sign-in-script'], own);
      expect(trusted.code).toBe(0);
      expect(JSON.parse(await signIn())).toMatchObject({
        auths: { 'registry.example': { registrytoken: 'access-1' } },
      });
      expect(trusted.stderr).not.toContain('gets no sign-in');
    });

    it("needs no user who is signed in, even if it pushes to the platform's registry", async () => {
      const { build, machine } = await setUpScript('#!/bin/sh\n');
      await writeFile(
        join(machine.configFolder, 'config.yaml'),
        'platform: {registry: registry.example}\ncloudAliases: []\n',
      );
      const own = registries('registry.example/acme');
      expect(await build([], own)).toMatchObject({ code: 0 });
      expect((await build(['--sign-in-script'], own)).json()).toMatchObject({
        code: 'REGISTRY_NEEDS_SIGN_IN',
      });
    });

    it('is refused if its output shows that its test stage was replayed', async () => {
      const { build } = await setUpScript('#!/bin/sh\ncat "$PLAT_TEST_RECORDED/buildx-replayed.txt" >&2\n');
      expect((await build()).json()).toMatchObject({ code: 'TEST_STAGE_REPLAYED' });
    });

    it('is ended by Ctrl-C, with all processes that it started', async () => {
      const { machine, options, checkout } = await setUpScript(
        '#!/bin/sh\ntrap "echo stopped > ended; exit 1" TERM\necho waiting\nsleep 300 &\nwait\n',
      );
      const child = await machine.start(['build', '--json'], options());
      const run = ended(child);
      await said(child, /waiting/);
      child.kill('SIGINT');
      expect(await run).toMatchObject({ code: 1 });
      expect((await run).json()).toMatchObject({ code: 'INTERRUPTED' });
      expect(await readFile(join(checkout.folder, 'ended'), 'utf8')).toBe('stopped\n');
    });
  });

  it('builds the checkout at PLAT_REPO_PATH if it is started outside a checkout', async () => {
    const { machine, checkout, options, commitId } = await setUp();
    const inPod = { ...options({ PLAT_REPO_PATH: checkout.folder }), cwd: machine.home };
    expect((await machine.plat(['build', '--json'], inPod)).json()).toMatchObject({ commitId });
  });

  it('builds a folder that is not a checkout as well', async () => {
    const { machine, options } = await setUp();
    const folder = join(machine.home, 'My Project!');
    await mkdir(folder);
    await writeFile(join(folder, 'VERSION'), '2.0.0');
    await writeFile(join(folder, 'Dockerfile'), 'FROM scratch\n');
    const run = await machine.plat(['build', '--json', '--release'], { ...options(), cwd: folder });
    expect(run.json()).toMatchObject({ images: ['my-project:2.0.0'] });
    expect(run.json()).not.toHaveProperty('commitId');
  });
});

import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuilderDouble } from '../black-box/builder-double';
import { GateCheckout } from '../black-box/gate-checkout';
import { signedInMachine } from '../black-box/signed-in';

const DOCKERFILE = 'FROM base AS tools\nFROM tools AS test\nFROM tools\nCOPY --from=test /test /test\n';
const SNAPSHOT = /^1\.4\.0-snapshot-\d{14}$/;
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

  it('mints a snapshot version and tags on this machine if no registry is configured', async () => {
    const { build, builder, commitId } = await setUp();
    const run = await build();
    expect(run.code).toBe(0);
    const { version, ...built } = run.json<Built>();
    expect(version).toMatch(SNAPSHOT);
    expect(built).toMatchObject({
      commitId,
      gate: false,
      images: [`origin:${version}`],
      pushed: [],
      testStage: { cached: 0, executed: 2 },
      replay: false,
      report: { reported: false, reason: 'this runs in no environment' },
    });
    expect((await builder.calls()).map(({ argv }) => argv[0])).toEqual(['buildx', 'tag']);
  });

  it('is refused if it replays the whole test stage, and names the image and the remedy', async () => {
    const { build, builder } = await setUp();
    await build();
    const run = await build();
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'TEST_STAGE_REPLAYED',
      message: expect.stringMatching(
        /^The build of origin:1\.4\.0-snapshot-\d{14} replayed its whole test stage/,
      ),
      details: { next: 'plat build --gate' },
    });
    // A refused build is neither tagged nor pushed.
    expect((await lines(builder)).filter((line) => line.startsWith('tag'))).toHaveLength(1);
  });

  it('with --gate runs the test stage, with the cache disabled for that stage only', async () => {
    const { build, builder, checkout } = await setUp();
    await build();
    const run = await build(['--gate']);
    expect(run.json<Built>()).toMatchObject({ gate: true, testStage: { executed: 2 }, replay: false });
    const file = `--file=${checkout.folder}/Dockerfile ${checkout.folder}`;
    expect((await lines(builder)).slice(2, 4)).toEqual([
      `buildx build --progress=plain --target=test --no-cache-filter=test --output=type=cacheonly --iidfile=ID ${file}`,
      `buildx build --progress=plain --load --iidfile=ID ${file}`,
    ]);
  });

  it('with --gate is refused if the stages of any image cannot be read, and builds nothing', async () => {
    const { build, builder, checkout } = await setUp({
      Dockerfile: DOCKERFILE,
      'docker/worker/Dockerfile': 'FROM base\nRUN <<EOF\nFROM base AS test\n',
    });
    const run = await build(['--gate']);
    expect(run.code).toBe(1);
    const dockerfile = `${checkout.folder}/docker/worker/Dockerfile`;
    expect(run.json()).toMatchObject({
      code: 'UNREADABLE_DOCKERFILE',
      message: `The stages of ${dockerfile} cannot be read: line 2: the heredoc EOF has no end.`,
      details: { dockerfile },
    });
    expect(await builder.calls()).toEqual([]);
  });

  it('tags for every platform, and publishes to every registry with role build', async () => {
    const { build, builder } = await setUp();
    const platforms = ['--platform', 'linux/amd64', '--platform', 'linux/arm64', '--release'];
    const run = await build(platforms, registries('127.0.0.1:5000', 'r.example/team'));
    const { version, pushed } = run.json<Built>();
    expect(version).toBe('1.4.0');
    expect(pushed).toEqual([
      '127.0.0.1:5000/origin:1.4.0-linux-amd64',
      'r.example/team/origin:1.4.0-linux-amd64',
      '127.0.0.1:5000/origin:1.4.0-linux-arm64',
      'r.example/team/origin:1.4.0-linux-arm64',
      '127.0.0.1:5000/origin:1.4.0',
      'r.example/team/origin:1.4.0',
    ]);
    expect((await lines(builder)).filter((line) => line.startsWith('manifest create'))).toEqual([
      'manifest create --amend --insecure 127.0.0.1:5000/origin:1.4.0 127.0.0.1:5000/origin:1.4.0-linux-amd64 127.0.0.1:5000/origin:1.4.0-linux-arm64',
      'manifest create --amend r.example/team/origin:1.4.0 r.example/team/origin:1.4.0-linux-amd64 r.example/team/origin:1.4.0-linux-arm64',
    ]);
  });

  it('shows the output of a failing test, reports it, and tags nothing', async () => {
    const { build, builder, platform } = await setUp({ Dockerfile: DOCKERFILE, FAIL: '' });
    const run = await build([], IN_POD);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'BUILD_FAILED',
      message: expect.stringContaining('exit code: 3'),
      details: { report: { reported: true, buildId: BUILD_ID } },
    });
    expect(platform.to('POST /v1/builds')[0]?.body).toMatchObject({
      successful: false,
      version: expect.any(String),
    });
    expect((await lines(builder)).some((line) => line.startsWith('tag'))).toBe(false);
  });

  it('reports the outcome of a build in an environment if an alias is configured', async () => {
    const { build, platform, commitId } = await setUp();
    const { version, report } = (await build([], IN_POD)).json<Built>();
    expect(report).toEqual({ reported: true, buildId: BUILD_ID });
    expect(platform.to('POST /v1/builds')[0]?.body).toEqual({
      environmentId: ENVIRONMENT_ID,
      commitId,
      successful: true,
      version,
    });
  });

  it('needs no alias, and with --no-report calls nothing', async () => {
    const { build, platform, machine } = await setUp();
    expect((await build(['--no-report'], IN_POD)).json<Built>().report).toBeUndefined();
    expect(platform.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    await writeFile(join(machine.configFolder, 'config.yaml'), 'cloudAliases: []\n');
    expect((await build(['--gate'], IN_POD)).code).toBe(0);
  });

  describe("to the platform's own registry", () => {
    const TOKEN = 'access-1';
    const OWN = registries('registry.example/acme');

    async function withRegistry() {
      const set = await setUp();
      const run = await set.machine.plat(['config', 'set', 'platform.registry', 'registry.example']);
      expect(run.code).toBe(0);
      return set;
    }

    it("pushes with the operator's token, which is in no argument, output or plan", async () => {
      const { build, builder } = await withRegistry();
      const plan = await build(['--dry-run'], OWN);
      const run = await build(['--debug'], OWN);
      expect(run.code).toBe(0);
      const calls = await builder.calls();
      const pushes = calls.filter(({ argv }) => argv[0] === 'push');
      expect(pushes.map(({ config }) => JSON.parse(config ?? '{}'))).toEqual([
        { auths: { 'registry.example': { registrytoken: TOKEN } }, credHelpers: { 'registry.example': '' } },
      ]);
      const shown = [
        plan.stdout,
        plan.stderr,
        run.stdout,
        run.stderr,
        JSON.stringify(calls.map(({ argv }) => argv)),
      ];
      expect(shown.join('')).not.toContain(TOKEN);
      expect(calls.filter(({ argv }) => argv[0] !== 'push').every(({ config }) => config === undefined)).toBe(
        true,
      );
    });

    it('builds nothing if no user is signed in, and exits with 1, not 127', async () => {
      const { build, builder, machine } = await withRegistry();
      await writeFile(
        join(machine.configFolder, 'config.yaml'),
        'platform: {registry: registry.example}\ncloudAliases: []\n',
      );
      const run = await build([], OWN);
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({
        code: 'REGISTRY_NEEDS_SIGN_IN',
        details: { next: 'plat cloud init <alias> --api-url <url>' },
      });
      expect(await builder.calls()).toEqual([]);
    });

    it('names the sign-in if the registry denies the push', async () => {
      const { build, builder } = await withRegistry();
      await builder.refuse('push', 'unauthorized: authentication required');
      expect((await build([], OWN)).json()).toMatchObject({
        code: 'REGISTRY_DENIED',
        details: { registry: 'registry.example/acme', next: 'plat cloud login' },
      });
    });
  });

  describe('by a build script', () => {
    const SCRIPT = '#!/bin/sh\nenv | grep ^PLAT_BUILD_ | sort > variables\n';

    async function setUpScript(script: string) {
      const set = await setUp({ Dockerfile: DOCKERFILE, 'build.sh': script });
      await chmod(join(set.checkout.folder, 'build.sh'), 0o755);
      return set;
    }

    it('receives what to build, and no builder is called', async () => {
      const { build, builder, checkout } = await setUpScript(SCRIPT);
      const run = await build(['--gate', '--platform', 'linux/arm64'], registries('r.example'));
      const { version, images } = run.json<Built>();
      expect(images).toEqual([]);
      expect(await readFile(join(checkout.folder, 'variables'), 'utf8')).toBe(
        [
          'PLAT_BUILD_GATE=true',
          'PLAT_BUILD_IMAGE=origin',
          'PLAT_BUILD_PLATFORMS=linux/arm64',
          'PLAT_BUILD_REGISTRIES=r.example',
          'PLAT_BUILD_RELEASE=false',
          `PLAT_BUILD_VERSION=${version}\n`,
        ].join('\n'),
      );
      expect(await builder.calls()).toEqual([]);
    });

    it('is ignored if PLAT_DISABLE_BUILD_SCRIPT is set', async () => {
      const { build, builder } = await setUpScript(SCRIPT);
      expect((await build([], { PLAT_DISABLE_BUILD_SCRIPT: 'true' })).code).toBe(0);
      expect((await builder.calls()).length).toBeGreaterThan(0);
    });

    it('fails with its exit code and the end of its output', async () => {
      const { build } = await setUpScript('#!/bin/sh\necho two tests failed\nexit 7\n');
      const run = await build();
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({
        code: 'BUILD_FAILED',
        message: 'The build script of origin failed: it exited with 7.\ntwo tests failed',
      });
    });
  });

  describe('names the next step', () => {
    it('if no builder can be used, with the reason for each', async () => {
      const { build, builder } = await setUp();
      await builder.refuse('version', 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.');
      const run = await build([], { PATH: await builder.alone('git') });
      expect(run.json()).toMatchObject({
        code: 'NO_BUILDER',
        details: {
          reasons: [
            'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock',
            'buildah: it is not on the PATH',
            'podman: it is not on the PATH',
          ],
          next: 'start the docker daemon, or install docker with buildx, or buildah',
        },
      });
    });

    it.each([
      ['NO_VERSION', { Dockerfile: DOCKERFILE, VERSION: undefined }, []],
      ['NOTHING_TO_BUILD', {}, []],
      ['NO_TEST_STAGE', { Dockerfile: 'FROM scratch\n' }, ['--gate']],
      ['NO_SUCH_DOCKERFILE', { Dockerfile: DOCKERFILE }, ['--file', 'gone']],
      ['INVALID_PLATFORM', { Dockerfile: DOCKERFILE }, ['--platform', '-x']],
      ['INVALID_TAG', { Dockerfile: DOCKERFILE }, ['--tag', 'a b']],
    ])('for %s', async (code, files, args) => {
      const { build, builder, checkout } = await setUp(
        Object.fromEntries(Object.entries(files).filter(([, content]) => content !== undefined)) as Record<
          string,
          string
        >,
      );
      if ('VERSION' in files) await checkout.git('rm', '--quiet', 'VERSION');
      const run = await build(args);
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({ code, details: { next: expect.any(String) } });
      expect(await builder.calls()).toEqual([]);
    });
  });

  it('under --dry-run prints the commands and calls, and runs none of them', async () => {
    const { build, builder, platform, checkout } = await setUp();
    const run = await build(['--gate', '--tag', 'latest', '--dry-run'], registries('r.example'));
    const { plan } = run.json<{ plan: string[] }>();
    expect(plan.map((line) => line.replace(/1\.4\.0-snapshot-\d{14}/, 'V'))).toEqual([
      expect.stringContaining(`docker buildx build --progress=plain --target=test --no-cache-filter=test`),
      expect.stringContaining(`--file=${checkout.folder}/Dockerfile`),
      "docker tag '<image_id>' r.example/origin:V",
      "docker tag '<image_id>' r.example/origin:latest",
      'docker push r.example/origin:V',
      'docker push r.example/origin:latest',
      `platform: POST ${platform.url}/v1/builds`,
    ]);
    expect(await builder.calls()).toEqual([]);
  });
});

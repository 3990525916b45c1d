/**
 * @peers docker buildx buildah docker-registry busybox
 * @paths apps/plat/src/build apps/plat/src/black-box libs/testing/src/peers
 */
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type ContainerRegistry,
  type DockerDaemon,
  execFile,
  peer,
  startContainerRegistry,
  startDockerDaemon,
  startRegistryDoor,
} from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { ended, PATH, said } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';

jest.setTimeout(180_000);

/** The image of a single program. Its last stage depends on its tests. */
const DOCKERFILE = `
FROM scratch AS tools
COPY busybox /bin/busybox
RUN ["/bin/busybox", "--install", "-s", "/bin"]

FROM tools AS test
COPY check.sh /
RUN sh /check.sh && echo passed > /passed

FROM tools
COPY --from=test /passed /passed
`;

interface Built {
  version: string;
  pushed: string[];
  testStage: { cached: number; executed: number };
}

type Driver = 'buildx' | 'embedded' | 'buildah';

let daemon: DockerDaemon;
let registry: ContainerRegistry;
const disposals: Array<() => Promise<unknown>> = [];
beforeAll(async () => {
  [daemon, registry] = await Promise.all([startDockerDaemon(), startContainerRegistry()]);
});
afterAll(async () => {
  await Promise.all(disposals.map((dispose) => dispose()));
  await Promise.all([daemon.stop(), registry.stop()]);
});

let projects = 0;

/** A project of its own, on a machine with this builder. */
async function project(driver: Driver, check = 'echo checking') {
  const { machine, dispose } = await signedInMachine();
  disposals.push(dispose);
  const checkout = await GateCheckout.create(machine);
  await copyFile(peer('busybox'), join(checkout.folder, 'busybox'));
  // A nonce, so that no build of another case comes from the cache.
  const script = `${check} # ${(projects += 1)}\n`;
  await checkout.commit({ VERSION: '1.4.0\n', Dockerfile: DOCKERFILE, 'check.sh': script }, 'Begin to build');
  const image = `app-${driver}-${projects}`;
  const env = { ...(await variables(driver, machine.home)), ...registries(registry.host) };
  return {
    machine,
    checkout,
    image,
    env,
    build: (args: string[] = [], more: Record<string, string> = {}) =>
      machine.plat(['build', '--json', '--image', image, ...args], {
        cwd: checkout.folder,
        env: { ...env, ...more },
      }),
  };
}

async function variables(driver: Driver, home: string): Promise<Record<string, string>> {
  const bin = join(home, 'bin');
  await mkdir(bin);
  if (driver === 'buildah') {
    // The daemon is absent, and buildah keeps its images in the home.
    const storage = join(home, 'storage.conf');
    const [graph, run] = [join(home, 'graph'), join(home, 'run')];
    await writeFile(storage, `[storage]\ndriver = "vfs"\ngraphroot = "${graph}"\nrunroot = "${run}"\n`);
    await symlink(peer('buildah'), join(bin, 'buildah'));
    const elsewhere = { DOCKER_HOST: `unix://${join(home, 'nobody')}`, CONTAINERS_STORAGE_CONF: storage };
    return { PATH: `${bin}:${PATH}`, BUILDAH_ISOLATION: 'chroot', ...elsewhere };
  }
  await symlink(peer('docker'), join(bin, 'docker'));
  const plugins = join(home, '.docker', 'cli-plugins');
  if (driver === 'buildx') {
    await mkdir(plugins, { recursive: true });
    await symlink(peer('docker-buildx'), join(plugins, 'docker-buildx'));
  }
  return { PATH: `${bin}:${PATH}`, DOCKER_HOST: daemon.address };
}

const registries = (...names: string[]) => ({
  PLAT_CONTAINER_REGISTRIES: JSON.stringify(names.map((name) => ({ registry: name, roles: ['build'] }))),
});

describe.each(['buildx', 'embedded', 'buildah'] as const)('plat build by %s', (driver) => {
  it('pushes the minted version, and with --gate runs the test stage although the cache has it', async () => {
    const { build, image } = await project(driver);
    const first = (await build()).json<Built>();
    expect(first.pushed).toEqual([`${registry.host}/${image}:${first.version}`]);
    const run = await build(['--gate', '--tag', 'latest']);
    expect(run.stderr).toContain('checking');
    const { version } = run.json<Built>();
    expect(await registry.tags(image)).toEqual([...new Set([first.version, version, 'latest'])].sort());
  });

  it('pushes nothing of a build whose tests fail, and shows their output', async () => {
    const { build, image } = await project(driver, 'echo two tests failed; exit 3');
    const run = await build(['--gate']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'BUILD_FAILED',
      message: expect.stringContaining('two tests failed'),
    });
    expect(await registry.tags(image)).toEqual([]);
  });

  it('tags for every platform, and gives them one name in the registry', async () => {
    const { build, image } = await project(driver);
    const run = await build(['--platform', 'linux/amd64,linux/arm64', '--release', '--gate']);
    expect(run.code).toBe(0);
    expect(await registry.tags(image)).toEqual(['1.4.0', '1.4.0-linux-amd64', '1.4.0-linux-arm64']);
    expect(await registry.platforms(image, '1.4.0')).toEqual(['linux/amd64', 'linux/arm64']);
  });

  it('is ended by Ctrl-C, with its builder, and pushes nothing', async () => {
    const { machine, checkout, env, image } = await project(driver, 'echo waiting; sleep 600');
    const child = await machine.start(['build', '--json', '--image', image], { cwd: checkout.folder, env });
    const run = ended(child);
    await said(child, /^(#\d+ [\d.]+ )?waiting/m);
    child.kill('SIGINT');
    expect((await run).json()).toMatchObject({ code: 'INTERRUPTED' });
    expect(await registry.tags(image)).toEqual([]);
  });

  it('names the registry and the next step if the registry does not answer', async () => {
    const { build } = await project(driver);
    expect((await build([], registries('127.0.0.1:1'))).json()).toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
      details: { registry: '127.0.0.1:1' },
    });
  });
});

describe.each(['buildx', 'embedded'] as const)('plat build by %s, which has a cache', (driver) => {
  it('refuses a build that replays the whole test stage, and names the image and the remedy', async () => {
    const { build, image } = await project(driver);
    expect((await build()).json<Built>().testStage).toEqual({ cached: 0, executed: 2 });
    const tags = await registry.tags(image);
    const run = await build();
    expect(run.json()).toMatchObject({
      code: 'TEST_STAGE_REPLAYED',
      message: expect.stringContaining(`${registry.host}/${image}:1.4.0-snapshot-`),
      details: { next: 'plat build --gate' },
    });
    expect(await registry.tags(image)).toEqual(tags);
    expect((await build(['--gate'])).code).toBe(0);
  });

  it("pushes to the platform's registry with the operator's bearer token, which nothing shows", async () => {
    const door = await startRegistryDoor(registry, 'access-1');
    disposals.push(() => door.close());
    const { build, machine, image } = await project(driver);
    expect((await build(['--gate'], registries(door.host))).json()).toMatchObject({
      code: 'REGISTRY_DENIED',
      details: { next: `docker login ${door.host}` },
    });
    await machine.plat(['config', 'set', 'platform.registry', door.host]);
    const run = await build(
      ['--gate', '--platform=linux/amd64', '--platform=linux/arm64'],
      registries(door.host),
    );
    expect(run).toMatchObject({ code: 0 });
    expect(await registry.platforms(image, run.json<Built>().version)).toHaveLength(2);
    expect(run.stdout + run.stderr).not.toContain('access-1');
  });
});

describe.each([
  ['embedded', ['docker', 'images', '--quiet', '--filter=dangling=true']],
  ['buildah', ['buildah', 'images', '--quiet', '--filter=dangling=true']],
] as const)('a gate by %s, which keeps the image of a test', (driver, [program, ...list]) => {
  it('leaves no unnamed image', async () => {
    const { build, env } = await project(driver);
    const unnamed = async () => (await promisify(execFile)(peer(program), list, { env })).stdout;
    const before = await unnamed();
    expect((await build(['--gate', '--no-push'])).code).toBe(0);
    expect(await unnamed()).toBe(before);
  });
});

describe('plat build by buildah', () => {
  it("reports before it builds that it cannot present the token of the platform's registry", async () => {
    const { build, machine } = await project('buildah');
    await machine.plat(['config', 'set', 'platform.registry', registry.host]);
    expect((await build()).json()).toMatchObject({ code: 'REGISTRY_NEEDS_DOCKER' });
  });
});

import { buildahBuilder } from './buildah-builder';
import { dockerBuilder } from './docker-builder';
import { plannedCommand } from './run-builder';

const order = { context: '/p', dockerfile: '/p/Dockerfile', platform: 'linux/arm64', idFile: '/t/id' };
const test = { ...order, target: 'test' };

describe('the test of a gate', () => {
  it('disables the cache for that stage only, if the builder can: docker with buildx', () => {
    const { argv } = dockerBuilder('buildx').test(test);
    expect(argv).toEqual(
      expect.arrayContaining(['--target=test', '--no-cache-filter=test', '--platform=linux/arm64']),
    );
    expect(argv).not.toContain('--no-cache');
  });

  it('is built entirely without cache by docker without buildx, and only up to its stage', () => {
    const { argv, variables } = dockerBuilder('embedded').test(test);
    expect(argv).toEqual(expect.arrayContaining(['--target=test', '--no-cache']));
    expect(variables).toMatchObject({ DOCKER_BUILDKIT: '1' });
  });

  it.each(['buildah', 'podman'] as const)(
    'is built without any cache by %s, like each of its builds',
    (program) => {
      const builder = buildahBuilder(program);
      for (const { argv } of [builder.test(test), builder.build(order)]) {
        expect(argv).toEqual(expect.arrayContaining([program, '--no-cache', '--layers=false']));
      }
    },
  );
});

describe('the image of a test', () => {
  it('is removed if the builder keeps one, by an id that no other image has', () => {
    for (const builder of [dockerBuilder('embedded'), buildahBuilder('buildah'), buildahBuilder('podman')]) {
      expect(builder.test(test).argv).toContain('--label=plat.test=/t/id');
      expect(builder.build(order).argv.join(' ')).not.toContain('--label');
      expect(builder.forgetTest?.('sha256:a').argv.slice(-2)).toEqual([
        expect.stringMatching(/^rmi?$/),
        'sha256:a',
      ]);
    }
  });

  it('is not made by docker with buildx', () => {
    const builder = dockerBuilder('buildx');
    expect(builder.test(test).argv).toContain('--output=type=cacheonly');
    expect(builder.forgetTest).toBeUndefined();
  });
});

describe('the commands of a build', () => {
  it('print plain progress with any setting of the user', () => {
    for (const builder of [dockerBuilder('buildx'), dockerBuilder('embedded')]) {
      expect(builder.build(order).variables).toMatchObject({ BUILDKIT_PROGRESS: 'plain' });
    }
  });

  it('are printed so that a person can paste them', () => {
    expect(plannedCommand({ argv: ['docker', 'tag', '<id>', 'app:1'], variables: { A: 'b c' } })).toBe(
      "A='b c' docker tag '<id>' app:1",
    );
  });

  it('speak plain http to a registry on this machine alone', () => {
    const buildah = buildahBuilder('buildah');
    expect(buildah.push('localhost:5000/app:1', true).argv).toContain('--tls-verify=false');
    expect(buildah.push('r.example/app:1', false).argv).not.toContain('--tls-verify=false');
    const [create] = dockerBuilder('buildx').index('localhost:5000/app:1', ['localhost:5000/app:1-a'], true);
    expect(create?.argv).toContain('--insecure');
  });
});

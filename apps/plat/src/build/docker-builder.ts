import { type Builder, type BuilderCommand, type ImageOrder, testLabel } from './builder';

/** The source of docker's BuildKit: its plugin, or the client itself in releases before 23. */
export type BuildKit = 'buildx' | 'embedded';

/** Plain progress, from which a replay is read, and no attestations, so that an index consists of platforms only. */
const STEADY = { BUILDKIT_PROGRESS: 'plain', BUILDX_NO_DEFAULT_ATTESTATIONS: '1' };

/**
 * docker with BuildKit. Without buildx it cannot disable the cache for one stage, so a test is built without any cache.
 */
export function dockerBuilder(buildKit: BuildKit): Builder {
  return {
    name: 'docker',
    takesBearerToken: true,
    build: (order) => building(buildKit, order, buildKit === 'buildx' ? ['--load'] : []),
    test: (order) => building(buildKit, order, freshly(buildKit, order)),
    forgetTest:
      buildKit === 'embedded' ? (imageId) => ({ argv: ['docker', 'image', 'rm', imageId] }) : undefined,
    tag: (imageId, reference) => ({ argv: ['docker', 'tag', imageId, reference] }),
    push: (reference) => ({ argv: ['docker', 'push', reference] }),
    index(reference, of, insecure) {
      const plain = insecure ? ['--insecure'] : [];
      return [
        { argv: ['docker', 'manifest', 'create', '--amend', ...plain, reference, ...of] },
        { argv: ['docker', 'manifest', 'push', '--purge', ...plain, reference] },
      ];
    },
  };
}

function building(buildKit: BuildKit, order: ImageOrder, more: readonly string[]): BuilderCommand {
  const { context, dockerfile, platform, target, idFile } = order;
  const options = [
    '--progress=plain',
    ...(platform === undefined ? [] : [`--platform=${platform}`]),
    ...(target === undefined ? [] : [`--target=${target}`]),
    ...more,
    `--iidfile=${idFile}`,
    `--file=${dockerfile}`,
    context,
  ];
  if (buildKit === 'buildx') return { argv: ['docker', 'buildx', 'build', ...options], variables: STEADY };
  return { argv: ['docker', 'build', ...options], variables: { ...STEADY, DOCKER_BUILDKIT: '1' } };
}

function freshly(buildKit: BuildKit, order: ImageOrder & { target: string }): string[] {
  if (buildKit === 'embedded') return ['--no-cache', testLabel(order)];
  return [`--no-cache-filter=${order.target}`, '--output=type=cacheonly'];
}

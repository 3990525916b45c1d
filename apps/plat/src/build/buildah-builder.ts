import { type Builder, type BuilderCommand, type ImageOrder, testLabel } from './builder';

/**
 * buildah, or podman, which accepts the same arguments. It cannot disable the cache for one stage, so it builds
 * entirely without cache: slower, but never a replay.
 */
export function buildahBuilder(program: 'buildah' | 'podman'): Builder {
  return {
    name: program,
    takesBearerToken: false,
    build: (order) => building(program, order),
    test: (order) => building(program, order, [testLabel(order)]),
    forgetTest: (imageId) => ({ argv: [program, 'rmi', imageId] }),
    tag: (imageId, reference) => ({ argv: [program, 'tag', imageId, local(reference)] }),
    push: (reference, insecure) => ({
      argv: [program, 'push', ...verifying(insecure), local(reference), `docker://${reference}`],
    }),
    index: (reference, of, insecure) => [
      { argv: [program, 'manifest', 'create', '--amend', local(reference)] },
      ...of.map((one) => ({
        argv: [program, 'manifest', 'add', ...verifying(insecure), local(reference), `docker://${one}`],
      })),
      {
        argv: [
          program,
          'manifest',
          'push',
          '--all',
          '--rm',
          ...verifying(insecure),
          local(reference),
          `docker://${reference}`,
        ],
      },
    ],
  };
}

function building(
  program: string,
  { context, dockerfile, platform, target, idFile }: ImageOrder,
  more: readonly string[] = [],
): BuilderCommand {
  return {
    argv: [
      program,
      'build',
      '--no-cache',
      '--layers=false',
      ...(platform === undefined ? [] : [`--platform=${platform}`]),
      ...(target === undefined ? [] : [`--target=${target}`]),
      ...more,
      `--iidfile=${idFile}`,
      `--file=${dockerfile}`,
      context,
    ],
  };
}

/** A name without a registry belongs to this machine. */
function local(reference: string): string {
  return reference.includes('/') ? reference : `localhost/${reference}`;
}

function verifying(insecure: boolean): string[] {
  return insecure ? ['--tls-verify=false'] : [];
}

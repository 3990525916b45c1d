import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { type ImageBuilder, peer, writeRuntimeBase } from '@plat/testing';

/** Builds the image of a runtime pod from its own Dockerfile, on a base of this machine's programs. */
export async function buildRuntimeImage(
  folder: string,
  { buildah, tag }: { buildah: ImageBuilder['buildah']; tag: string },
): Promise<void> {
  const root = join(folder, 'root');
  await writeRuntimeBase(root, [peer('sshd'), peer('ssh'), peer('ssh-keygen'), peer('tini')]);
  await writeFile(join(folder, 'Base'), 'FROM scratch\nCOPY root /\n');
  await buildah('build', '--file', join(folder, 'Base'), '--tag', 'localhost/base', folder);
  await buildah(
    'build',
    ...['--file', 'deploy/images/runtime/Dockerfile', '--build-arg', 'BASE=localhost/base'],
    // npm would install these.
    ...['--volume', `${join(workspaceRoot(), 'node_modules')}:/src/node_modules:ro`],
    ...['--pull=never', '--tag', tag, '.'],
  );
}

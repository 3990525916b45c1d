import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { peer } from '@plat/testing';
import { PATH } from './plat-process';
import { writeRuntimeBase } from './runtime-base';

export interface ImageBuilder {
  /** The environment of a run of buildah. */
  env: Record<string, string>;
  /** Runs it in the repository. @returns what it prints */
  buildah(...args: string[]): Promise<string>;
}

/** A builder whose images are all in one folder. */
export async function imageBuilder(folder: string): Promise<ImageBuilder> {
  const storage = join(folder, 'storage.conf');
  const [graph, state] = [join(folder, 'graph'), join(folder, 'run')];
  await writeFile(storage, `[storage]\ndriver = "vfs"\ngraphroot = "${graph}"\nrunroot = "${state}"\n`);
  const env = { PATH, HOME: folder, CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: 'chroot' };
  const options = { env, cwd: workspaceRoot(), maxBuffer: 64 * 1024 * 1024 };
  const buildah = async (...args: string[]) =>
    (await promisify(execFile)(peer('buildah'), args, options)).stdout.trim();
  return { env, buildah };
}

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

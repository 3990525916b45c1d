import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { execFile } from '../starter/child-process';
import { peer } from './peer';

/** The PATH of the builder, which runs other programs of the system. */
const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

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
  const env = { PATH, HOME: folder, CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: 'chroot' };
  const options = { env, cwd: workspaceRoot(), maxBuffer: 64 * 1024 * 1024 };
  const buildah = async (...args: string[]) =>
    (await promisify(execFile)(peer('buildah'), args, options)).stdout.trim();
  const keepBy = (driver: string) =>
    writeFile(storage, `[storage]\ndriver = "${driver}"\ngraphroot = "${graph}"\nrunroot = "${state}"\n`);
  await keepBy('overlay');
  // A machine that is a container itself may refuse overlays. The other driver copies all files for each layer.
  await buildah('info').catch(() => keepBy('vfs'));
  return { env, buildah };
}

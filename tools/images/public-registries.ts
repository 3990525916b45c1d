import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  execFile,
  type ImageBuilder,
  imageBuilder,
  peer,
  startContainerRegistry,
  testEnvironment,
} from '@plat/testing';
import type { Bases } from './pinned-bases';

const run = promisify(execFile);
const NODE_PATH = dirname(process.execPath);

/** Stand-ins for docker.io and gcr.io: one registry of this machine, which has the base images. */
export interface PublicRegistries {
  /** The command lines that `deploy/images/Dockerfile` names for newer digests. @returns the digests that they print */
  newerDigests(sources: string): Promise<Bases>;
  /** A builder with a store of its own, which finds the stand-ins by the public names. */
  builder(folder: string, packages: string): Promise<ImageBuilder>;
  stop(): Promise<void>;
}

/** The names that the Dockerfiles have, below the hosts. */
const NAMES: Readonly<Bases> = {
  node: 'library/node:24-bookworm-slim',
  libraries: 'distroless/cc-debian12:nonroot',
};

/**
 * Builds the base images, and serves them by the names that the Dockerfiles have. buildah and skopeo go to the stand-ins by
 * their own file registries.conf.
 *
 * @param roots the folders with the files of each
 */
export async function startPublicRegistries(folder: string, roots: Bases): Promise<PublicRegistries> {
  await mkdir(folder, { recursive: true });
  const { buildah } = await imageBuilder(folder);
  const registry = await startContainerRegistry();
  try {
    for (const base of ['node', 'libraries'] as const) {
      const file = join(folder, `${base}.Dockerfile`);
      await writeFile(file, 'FROM scratch\nCOPY . /\n');
      const local = `localhost/${base}:1`;
      await buildah('build', '--file', file, '--tag', local, '--timestamp=0', roots[base]);
      await buildah('push', '--tls-verify=false', local, `docker://${registry.host}/${NAMES[base]}`);
    }
    await redirect(folder, registry.host);
  } catch (error) {
    await registry.stop();
    throw error;
  }
  return {
    newerDigests: (sources) => askDigests(sources, folder),
    builder: async (own, packages) => {
      await redirect(own, registry.host);
      const built = await imageBuilder(own);
      // The packages that `npm ci` installs: the base has no npm.
      const mounts = join(own, 'containers.conf');
      await writeFile(mounts, `[containers]\nvolumes = ["${packages}:/src/node_modules:ro"]\n`);
      const env = { ...built.env, PATH: `${NODE_PATH}:${built.env.PATH}`, CONTAINERS_CONF: mounts };
      return { ...built, env };
    },
    stop: () => registry.stop(),
  };
}

/** Lets the programs of a home reach a registry of this machine by the public names. */
async function redirect(home: string, location: string): Promise<void> {
  const settings = ['docker.io', 'gcr.io'].map(
    (host) => `[[registry]]\nprefix = "${host}"\nlocation = "${location}"\ninsecure = true\n`,
  );
  await mkdir(join(home, '.config', 'containers'), { recursive: true });
  await writeFile(join(home, '.config', 'containers', 'registries.conf'), settings.join(''));
}

async function askDigests(sources: string, home: string): Promise<Bases> {
  const page = await readFile(join(sources, 'deploy/images/Dockerfile'), 'utf8');
  const commands = [...page.matchAll(/^# {3}(skopeo inspect .*)$/gm)].map(([, command = '']) => command);
  const PATH = [dirname(peer('skopeo')), '/usr/bin', '/bin'].join(':');
  const env = { ...testEnvironment(), PATH, HOME: home };
  const printed = await Promise.all(
    commands.map((command) => run('bash', ['--norc', '-c', command], { env })),
  );
  const [node = '', libraries = ''] = printed.map(({ stdout }) => stdout.trim());
  return { node, libraries };
}

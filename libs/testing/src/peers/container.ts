import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '../starter/child-process';
import { peer } from './peer';
import { type ServerProcess, startServerProcess } from './server-process';

export interface ContainerOptions {
  /** The image's unpacked files. */
  root: string;
  /** The image's own configuration. */
  image: { Entrypoint: string[]; Env: string[]; User: string; WorkingDir: string };
  /** A folder for the container's own files; its name is the container's. */
  folder: string;
  /** Arguments after those of the image's entry. */
  args?: string[];
  env?: Record<string, string>;
  /** Files of this machine, by their places in the container. */
  files?: Record<string, string>;
}

/** Runs a container to its end. @returns what it prints */
export async function runContainer(options: ContainerOptions): Promise<string> {
  const { stdout } = await promisify(execFile)(peer('runc'), await commandOf(options));
  return stdout;
}

/** Starts a container and waits until its output matches. */
export async function startContainer(options: ContainerOptions, ready: RegExp): Promise<ServerProcess> {
  const server = await startServerProcess({ program: peer('runc'), args: await commandOf(options), ready });
  return {
    ...server,
    stop: async () => {
      await promisify(execFile)(peer('runc'), ['kill', basename(options.folder), 'TERM']);
      await server.stop();
    },
  };
}

/**
 * Writes what runc reads. The container has the image's user, a root filesystem that is read-only, no folder to write, no
 * capability, and the network of this machine.
 */
async function commandOf({ root, image, folder, args = [], env = {}, files = {} }: ContainerOptions) {
  await mkdir(folder, { recursive: true });
  const [uid, gid] = image.User.split(':').map(Number);
  const none = { bounding: [], effective: [], permitted: [], ambient: [] };
  const specification = {
    ociVersion: '1.0.2',
    root: { path: root, readonly: true },
    process: {
      user: { uid, gid },
      args: [...image.Entrypoint, ...args],
      env: [...image.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: image.WorkingDir,
      capabilities: none,
      noNewPrivileges: true,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      ...Object.entries(files).map(([destination, source]) => ({
        destination,
        source,
        type: 'bind',
        options: ['bind', 'ro'],
      })),
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify(specification));
  return ['run', '--bundle', folder, basename(folder)];
}

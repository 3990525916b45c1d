import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../terminal/failure';
import type { Builder } from './builder';
import { noteOwner, SIGN_IN_FOLDER } from './left-sign-ins';
import type { Registry } from './registries';

const CONFIG = 'config.json';
const SECRET_MODE = 0o600;

export interface RegistrySignIn {
  /** Host of the registry, with its port. */
  host: string;
  token: string;
  /** The user's own docker configuration, which everything else is taken from. */
  dockerFolder: string;
}

type DockerConfig = { auths?: object; credHelpers?: object } & Record<string, unknown>;

/**
 * Works with a docker configuration in which one registry takes a bearer token. It lies in a folder that only its
 * owner can enter, for as long as the work lasts; the token is in no argument, variable or output.
 *
 * @param work is given the folder, for DOCKER_CONFIG
 */
export async function withRegistrySignIn<T>(
  { host, token, dockerFolder }: RegistrySignIn,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  // mkdtemp makes it with mode 0700.
  const folder = await mkdtemp(join(tmpdir(), SIGN_IN_FOLDER));
  try {
    // Before any secret: a client that is killed leaves none that a later one does not know of.
    await noteOwner(folder);
    // Contexts, plugins and builders stay the user's.
    const others = (await readdir(dockerFolder).catch(() => [])).filter((name) => name !== CONFIG);
    await Promise.all(others.map((name) => symlink(join(dockerFolder, name), join(folder, name))));
    const config = await userConfig(dockerFolder);
    const signedIn = {
      ...config,
      auths: { ...config.auths, [host]: { registrytoken: token } },
      // Named empty, the user's credential store is not asked for this host.
      credHelpers: { ...config.credHelpers, [host]: '' },
    };
    await writeFile(join(folder, CONFIG), JSON.stringify(signedIn), { mode: SECRET_MODE, flag: 'wx' });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What docker itself cannot read it complains of by itself. */
async function userConfig(dockerFolder: string): Promise<DockerConfig> {
  try {
    const value: unknown = JSON.parse(await readFile(join(dockerFolder, CONFIG), 'utf8'));
    return typeof value === 'object' && value !== null ? (value as DockerConfig) : {};
  } catch {
    return {};
  }
}

/** @throws Failure REGISTRY_NEEDS_DOCKER before anything is built */
export function requireBearerToken({ name, takesBearerToken }: Builder, { registry }: Registry): void {
  if (takesBearerToken) return;
  throw new Failure(
    'REGISTRY_NEEDS_DOCKER',
    `${registry} takes the operator's token, which ${name} cannot present as it is.`,
    { next: 'start the docker daemon, or build with --no-push' },
  );
}

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
  /** The folder of the user's own docker configuration, which supplies everything else. */
  dockerFolder: string;
}

type DockerConfig = { auths?: object; credHelpers?: object } & Record<string, unknown>;

/**
 * Runs work with a docker configuration in which one registry takes a bearer token. It is in a folder that only its
 * owner can enter, which is removed afterwards. The token is in no argument, variable or output.
 *
 * @param work receives the folder, for DOCKER_CONFIG
 */
export async function withRegistrySignIn<T>(
  { host, token, dockerFolder }: RegistrySignIn,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  // mkdtemp creates it with mode 0700.
  const folder = await mkdtemp(join(tmpdir(), SIGN_IN_FOLDER));
  try {
    // Notes the owner before it writes a secret, so that a later client can remove the folder of a killed one.
    await noteOwner(folder);
    // Contexts, plugins and builders remain the user's.
    const others = (await readdir(dockerFolder).catch(() => [])).filter((name) => name !== CONFIG);
    await Promise.all(others.map((name) => symlink(join(dockerFolder, name), join(folder, name))));
    const config = await userConfig(dockerFolder);
    const signedIn = {
      ...config,
      auths: { ...config.auths, [host]: { registrytoken: token } },
      // An empty entry keeps docker from asking the user's credential store for this host.
      credHelpers: { ...config.credHelpers, [host]: '' },
    };
    await writeFile(join(folder, CONFIG), JSON.stringify(signedIn), { mode: SECRET_MODE, flag: 'wx' });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The user's configuration. If it is not readable, docker itself reports that. */
async function userConfig(dockerFolder: string): Promise<DockerConfig> {
  try {
    const value: unknown = JSON.parse(await readFile(join(dockerFolder, CONFIG), 'utf8'));
    return typeof value === 'object' && value !== null ? (value as DockerConfig) : {};
  } catch {
    return {};
  }
}

/**
 * Checks, before anything is built, that the builder can present a bearer token. @throws Failure REGISTRY_NEEDS_DOCKER
 */
export function requireBearerToken({ name, takesBearerToken }: Builder, { registry }: Registry): void {
  if (takesBearerToken) return;
  throw new Failure(
    'REGISTRY_NEEDS_DOCKER',
    `${registry} takes the operator's token, which ${name} cannot present as it is.`,
    { next: 'start the docker daemon, or build with --no-push' },
  );
}

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { childVariables } from '../environment';
import { trace } from '../terminal/trace';

/** docker's name for the registry that it means without a host. */
const DOCKER_HUB = 'https://index.docker.io/v1/';
const HELPER_SECONDS_MAX = 30;
/** The user name that a helper gives with an identity token, which a cluster cannot use. */
const OF_TOKEN = '<token>';
const HELPER = /^[A-Za-z0-9._-]+$/;

/** docker's own configuration, as far as it concerns sign-ins. */
interface DockerConfig {
  auths?: Readonly<Record<string, { auth?: string } | undefined>>;
  credsStore?: string;
  credHelpers?: Readonly<Record<string, string | undefined>>;
}

/**
 * The sign-in that docker has on this machine for the registry of an image, as `user:password` in base64; undefined if
 * it has none, as for a public registry.
 *
 * @param dockerFolder the folder of docker's configuration
 */
export async function imageSignIn(image: string, dockerFolder: string): Promise<string | undefined> {
  const key = registryKey(image);
  const config = await dockerConfig(dockerFolder);
  const helper = config.credHelpers?.[key] ?? config.credsStore;
  const stored = helper === undefined ? undefined : await askHelper(helper, key);
  return stored ?? (config.auths?.[key]?.auth || undefined);
}

/** The name under which docker and Kubernetes keep the sign-in for the image: its host with the port. */
export function registryKey(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return !isHost || first === 'docker.io' ? DOCKER_HUB : first;
}

async function dockerConfig(folder: string): Promise<DockerConfig> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // Without a readable configuration docker has no sign-in either.
    return {};
  }
}

/** Asks docker's credential helper. One that has no sign-in for the registry exits with 1. */
async function askHelper(helper: string, key: string): Promise<string | undefined> {
  if (!HELPER.test(helper)) return undefined;
  const child = spawn(`docker-credential-${helper}`, ['get'], {
    env: childVariables({}),
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: HELPER_SECONDS_MAX * 1000,
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(key);
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  trace(`docker-credential-${helper} get: exit code ${code}`);
  return code === 0 ? signInOf(output) : undefined;
}

function signInOf(output: string): string | undefined {
  try {
    const { Username: user, Secret: password } = JSON.parse(output) as { Username?: string; Secret?: string };
    if (!user || !password || user === OF_TOKEN) return undefined;
    return Buffer.from(`${user}:${password}`).toString('base64');
  } catch {
    return undefined;
  }
}

import { requestText, type TextAnswer } from '@plat/api-client';
import { defined } from '@plat/contracts/core';
import { withTimeLimit } from '@plat/local';
import { trace } from '../terminal/trace';

/** `refused`: the registry shows it to no one who signs in like this, or has no such image. */
export type ImageFinding = 'found' | 'missing' | 'refused' | 'unknown';

const SECONDS_MAX = 10;
/** A manifest is asked for by HEAD, and a token has some kilobytes. */
const ANSWER_BYTES_MAX = 256 * 1024;
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Asks the registry of an image whether it has the image. A registry that cannot be asked from here may be one that the
 * cluster reaches, so nothing fails.
 *
 * @param signIn `user:password` in base64, as docker has it
 * @throws the reason of `interrupted`
 */
export async function findImage(
  image: string,
  signIn: string | undefined,
  interrupted: AbortSignal,
): Promise<ImageFinding> {
  const signal = withTimeLimit(interrupted, SECONDS_MAX * 1000);
  try {
    const finding = judge(await readManifest(manifestAddress(image), { signIn, signal }));
    trace(`the registry of ${image}: ${finding}`);
    return finding;
  } catch (error) {
    interrupted.throwIfAborted();
    trace(`the registry of ${image} does not answer: ${(error as Error).message}`);
    return 'unknown';
  }
}

/** A sentence about an image that no node would get; undefined if it is there, or if no one knows. */
export function imageWarning(image: string, finding: ImageFinding): string | undefined {
  const unless =
    'The pod starts only on a node that has it already; runtimeVersion and runtimeImage name another.';
  if (finding === 'missing') return `The registry has no image ${image}. ${unless}`;
  if (finding === 'refused') {
    return `The registry does not show the image ${image}: it has none, or wants another sign-in (docker login). ${unless}`;
  }
  return undefined;
}

function judge({ status }: TextAnswer): ImageFinding {
  if (status === 200) return 'found';
  if (status === 404) return 'missing';
  return status === 401 || status === 403 ? 'refused' : 'unknown';
}

interface Asking {
  signIn: string | undefined;
  signal: AbortSignal;
}

/** Asks without a sign-in first; the registry then says where a token is. */
async function readManifest(address: string, asking: Asking): Promise<TextAnswer> {
  const ask = (headers: Record<string, string>) =>
    requestText(
      address,
      { method: 'HEAD', headers: { accept: MANIFESTS, ...headers }, signal: asking.signal },
      ANSWER_BYTES_MAX,
    );
  const first = await ask({});
  const challenge = String(first.headers['www-authenticate'] ?? '');
  if (first.status !== 401) return first;
  const authorization = /^basic\b/i.test(challenge)
    ? asking.signIn && `Basic ${asking.signIn}`
    : await readToken(tokenAddress(challenge, address), asking);
  return authorization ? ask({ authorization }) : first;
}

/**
 * Where the registry's challenge says that a token is: an address with https, or of this machine if the registry is here
 * too. What answers there is sent to the registry, so another's may not name a program of this machine.
 *
 * @param registry an address of it
 * @returns undefined for any other
 */
export function tokenAddress(challenge: string, registry: string): URL | undefined {
  const fields = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  );
  const { realm = '', service, scope } = fields;
  if (!URL.canParse(realm)) return undefined;
  const address = new URL(realm);
  const isAllowed = isHere(address)
    ? isHere(new URL(registry)) && /^https?:$/.test(address.protocol)
    : address.protocol === 'https:';
  if (!isAllowed) return undefined;
  for (const [key, value] of Object.entries({ service, scope })) {
    if (value !== undefined) address.searchParams.set(key, value);
  }
  return address;
}

const isHere = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);

async function readToken(address: URL | undefined, { signIn, signal }: Asking): Promise<string | undefined> {
  if (address === undefined) return undefined;
  const headers = defined({ authorization: signIn && `Basic ${signIn}` });
  const answer = await requestText(address.href, { method: 'GET', headers, signal }, ANSWER_BYTES_MAX);
  if (answer.status !== 200) return undefined;
  const { token, access_token: accessToken } = JSON.parse(answer.data) as Record<string, unknown>;
  const found = token ?? accessToken;
  return typeof found === 'string' ? `Bearer ${found}` : undefined;
}

/** docker's rules: a first part with a dot, a colon or the name localhost is a host; otherwise it is Docker Hub. */
function manifestAddress(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const path = isHost ? rest.join('/') : image;
  const [, repository = '', tag = 'latest', digest] = /^([^:@]+)(?::([^@]+))?(?:@(.+))?$/.exec(path) ?? [];
  const onHub = !isHost || first === 'docker.io';
  const host = onHub ? 'registry-1.docker.io' : first;
  const name = onHub && !repository.includes('/') ? `library/${repository}` : repository;
  const scheme = LOOPBACK.test(new URL(`http://${host}`).hostname) ? 'http' : 'https';
  return `${scheme}://${host}/v2/${name}/manifests/${digest ?? tag}`;
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findImage, imageWarning, tokenAddress } from './image-check';

const SIGN_IN = Buffer.from('al:password').toString('base64');
const signal = new AbortController().signal;

let registry: Server;
let asked: IncomingMessage[];
let host: string;
/** Whether the registry wants a token, a password, or neither. */
let wants: 'token' | 'password' | 'nothing';

/** A registry with one image, team/app:1, and the server of its tokens. */
beforeEach(async () => {
  asked = [];
  wants = 'nothing';
  registry = createServer((request, response) => {
    asked.push(request);
    const { url = '', headers } = request;
    if (url.startsWith('/token?')) {
      const isPerson = headers.authorization === `Basic ${SIGN_IN}`;
      return response.end(JSON.stringify({ token: isPerson ? 'of-al' : 'of-nobody' }));
    }
    const allowed = { token: 'Bearer of-al', password: `Basic ${SIGN_IN}`, nothing: headers.authorization };
    if (headers.authorization !== allowed[wants]) {
      const challenge =
        wants === 'password'
          ? 'Basic realm="r"'
          : `Bearer realm="http://${host}/token",service="r",scope="s"`;
      return response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    return response.writeHead(url === '/v2/team/app/manifests/1' ? 200 : 404).end();
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterEach(async () => {
  registry.closeAllConnections();
  await new Promise((closed) => registry.close(closed));
});

const find = (image: string, signIn?: string) => findImage(image, signIn, signal);

describe('the image of a deploy', () => {
  it('is looked for in its registry by its tag or its digest', async () => {
    expect(await find(`${host}/team/app:1`)).toBe('found');
    expect(await find(`${host}/team/app:2`)).toBe('missing');
    expect(await find(`${host}/team/app`)).toBe('missing');
    expect(await find(`${host}/team/app:1@sha256:abc`)).toBe('missing');
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'HEAD /v2/team/app/manifests/1',
      'HEAD /v2/team/app/manifests/2',
      'HEAD /v2/team/app/manifests/latest',
      'HEAD /v2/team/app/manifests/sha256:abc',
    ]);
  });

  it.each(['token', 'password'] as const)('is looked for with the sign-in of docker: %s', async (way) => {
    wants = way;
    expect(await find(`${host}/team/app:1`, SIGN_IN)).toBe('found');
    expect(await find(`${host}/team/app:1`)).toBe('refused');
  });

  it('is unknown if the registry does not answer: the cluster may reach it', async () => {
    registry.closeAllConnections();
    await new Promise((closed) => registry.close(closed));
    expect(await find(`${host}/team/app:1`)).toBe('unknown');
    expect(imageWarning('r/app:1', 'unknown')).toBeUndefined();
  });

  it('that the registry has not is a warning, since a node may have it', () => {
    expect(imageWarning('r/app:1', 'missing')).toBe(
      'The registry has no image r/app:1. The pod starts only on a node that has it already; runtimeVersion and runtimeImage name another.',
    );
    expect(imageWarning('r/app:1', 'refused')).toContain('docker login');
    expect(imageWarning('r/app:1', 'found')).toBeUndefined();
  });
});

describe('the token for a registry', () => {
  const REGISTRY = 'https://registry.example/v2/app/manifests/1';
  const at = (realm: string, registry = REGISTRY) =>
    tokenAddress(`Bearer realm="${realm}",service="r"`, registry)?.href;

  it('is read where the registry says, over https', () => {
    expect(at('https://auth.example/token')).toBe('https://auth.example/token?service=r');
    expect(at('http://auth.example/token')).toBeUndefined();
    expect(at('file:///etc/passwd')).toBeUndefined();
  });

  it.each([
    'http://127.0.0.1:8200/token',
    'https://localhost/token',
    'http://[::1]/token',
    'http://127.1/token',
  ])('is not read at %s for a registry elsewhere, which would get what answers there', (realm) => {
    expect(at(realm)).toBeUndefined();
    expect(at(realm, 'http://localhost:5000/v2/app/manifests/1')).toBe(`${new URL(realm).href}?service=r`);
  });
});

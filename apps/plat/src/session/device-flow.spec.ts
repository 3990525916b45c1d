import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signInByDevice, withinBounds } from './device-flow';
import { discoverProvider } from './identity-provider';

const GRANT = { device_code: 'd', user_code: 'c', verification_uri: 'https://id.example.com/v' };

/** The end of a sign-in at a provider whose code lives for so long, and which the person refuses at the second question. */
async function signInWithin(expires_in: number): Promise<unknown> {
  let questions = 0;
  const server = createServer(({ url, headers }, response) => {
    const issuer = `http://${headers.host}`;
    const isQuestion = url === '/token';
    if (isQuestion) questions += 1;
    const described = {
      issuer,
      device_authorization_endpoint: `${issuer}/device`,
      token_endpoint: `${issuer}/token`,
    };
    const granted = url === '/device' ? { ...GRANT, interval: 0.1, expires_in } : described;
    const refusal = { error: questions < 2 ? 'authorization_pending' : 'access_denied' };
    response.writeHead(isQuestion ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isQuestion ? refusal : granted));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const alias = {
    name: 'a',
    kind: 'platform',
    apiUrl: url,
    audience: url,
    issuer: url,
    clientId: 'c',
  } as const;
  const provider = await discoverProvider(alias);
  try {
    return await signInByDevice(provider, url, { show: () => undefined }).catch((error: unknown) => error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('a device flow at a hostile provider', () => {
  it('has a pace and a life within bounds', () => {
    expect(withinBounds({ ...GRANT, interval: 1e-9, expires_in: 1e300 })).toEqual({
      ...GRANT,
      interval: 0.1,
      expires_in: 86_400,
    });
  });

  it('keeps the terms of any other provider, and asks every five seconds if one names no pace', () => {
    expect(withinBounds({ ...GRANT, interval: 7, expires_in: 600 })).toMatchObject({
      interval: 7,
      expires_in: 600,
    });
    expect(withinBounds({ ...GRANT, expires_in: 600 })).toMatchObject({ interval: 5 });
  });

  it.each([3_000_000, 1e12])('waits for a code of %d seconds, for which no timer is', async (expires_in) => {
    expect(await signInWithin(expires_in)).toMatchObject({ error: 'access_denied' });
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair, SignJWT } from 'jose';
import { prepareSignIn } from './sign-in';

const API = 'https://plat.example.com';
const CLIENT = 'plat-console';

describe('the sign-in of the console', () => {
  beforeAll(() => {
    Object.assign(globalThis, { location: { origin: API } });
  });
  const closes: Array<() => Promise<unknown>> = [];
  afterEach(() => Promise.all(closes.splice(0).map((close) => close())));

  /** Begins a sign-in at a provider that answers a code with the access token. Returns how the sign-in ends. */
  async function signIn(accessToken: (issuer: string) => Promise<string>) {
    const { privateKey } = await generateKeyPair('RS256');
    let nonce = '';
    const server = createServer((request, response) => {
      const answer = async () => {
        if (request.url !== '/token') {
          return { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
        }
        const idToken = new SignJWT({ nonce }).setProtectedHeader({ alg: 'RS256' }).setIssuer(issuer);
        idToken.setSubject('alice').setAudience(CLIENT).setIssuedAt().setExpirationTime('1m');
        return {
          token_type: 'bearer',
          expires_in: 60,
          access_token: await accessToken(issuer),
          id_token: await idToken.sign(privateKey),
        };
      };
      void answer().then((body) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closes.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { address, state, finish } = await prepareSignIn(
      { issuer, clientId: CLIENT, audience: API },
      false,
    );
    nonce = new URL(address).searchParams.get('nonce')!;
    expect(new URL(address).searchParams.get('resource')).toBe(API);
    return finish(`?${new URLSearchParams({ code: 'code', state })}`);
  }

  const tokenFor = (audience: string | string[]) => async () => {
    const { privateKey } = await generateKeyPair('ES256');
    return new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).setAudience(audience).sign(privateKey);
  };

  it('takes a token for the platform', async () => {
    const token = await tokenFor(['account', API])();
    expect(await signIn(async () => token)).toMatchObject({ value: token });
  });

  it('refuses a token for another API, which a provider issues that ignores what it is asked for', async () => {
    await expect(signIn(tokenFor('https://other.example.com'))).rejects.toThrow(
      `the identity provider has issued a token for another API, and not for ${API}`,
    );
  });

  it('cannot judge an opaque token', async () => {
    expect(await signIn(async () => 'opaque')).toMatchObject({ value: 'opaque' });
  });
});

import { createRemoteJWKSet, jwtVerify } from 'jose';
import { TEST_AUDIENCE, type TokenAlgorithm, TokenIssuer } from './token-issuer';

async function startIssuer(...algorithms: TokenAlgorithm[]): Promise<TokenIssuer> {
  const [first = 'ES256', ...rest] = algorithms;
  const issuer = await TokenIssuer.start({ algorithms: [first, ...rest], path: '/acme' });
  cleanUp.push(() => issuer.stop());
  return issuer;
}

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanUp.splice(0)) await close();
});

function verify(issuer: TokenIssuer, token: string) {
  const keys = createRemoteJWKSet(new URL(`${issuer.url}/jwks`));
  return jwtVerify(token, keys, { issuer: issuer.url, audience: TEST_AUDIENCE });
}

describe('TokenIssuer', () => {
  it.each(['RS256', 'ES256', 'EdDSA'] as const)(
    'signs tokens with %s that its key set verifies',
    async (algorithm) => {
      const issuer = await startIssuer(algorithm);
      const { payload } = await verify(issuer, await issuer.token({ sub: 'alice', org: 'acme' }));
      expect(payload).toMatchObject({ sub: 'alice', org: 'acme', iss: issuer.url, aud: TEST_AUDIENCE });
      expect(issuer.jwksFetches).toBe(1);
    },
  );

  it('names its key set in the discovery document', async () => {
    const issuer = await startIssuer();
    const answer = await fetch(`${issuer.url}/.well-known/openid-configuration`);
    expect(await answer.json()).toMatchObject({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` });
  });

  it('leaves a claim out that is given as undefined', async () => {
    const issuer = await startIssuer();
    const { payload } = await verify(issuer, await issuer.token({ sub: 'alice', exp: undefined }));
    expect(payload).not.toHaveProperty('exp');
  });

  it('makes expired tokens and tokens signed by a stranger', async () => {
    const [issuer, stranger] = [await startIssuer(), await startIssuer()];
    const kid = issuer.publicJwk().kid;
    await expect(verify(issuer, await issuer.token({}, { lifetimeSeconds: -1 }))).rejects.toThrow('"exp"');
    const forged = await issuer.token({}, { signedBy: stranger, header: { kid } });
    await expect(verify(issuer, forged)).rejects.toThrow('signature verification failed');
  });

  it('forgets its keys when they are rotated', async () => {
    const issuer = await startIssuer();
    const before = await issuer.token({});
    await issuer.rotateKeys();
    await expect(verify(issuer, before)).rejects.toThrow('no applicable key');
    await expect(verify(issuer, await issuer.token({}))).resolves.toBeDefined();
  });

  it('cuts connections during an outage and answers after it', async () => {
    const issuer = await startIssuer();
    issuer.stopAnswering();
    await expect(fetch(`${issuer.url}/jwks`)).rejects.toThrow('fetch failed');
    issuer.startAnswering();
    expect((await fetch(`${issuer.url}/jwks`)).status).toBe(200);
  });
});

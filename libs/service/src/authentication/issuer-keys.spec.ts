import { TokenIssuer } from '@plat/testing';
import { IssuerKeys } from './issuer-keys';
import { TokenVerifier } from './token-verifier';

const started: TokenIssuer[] = [];

/** Only the clock is faked. Sockets and timers run as usual. */
const TIMERS = [
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
  'hrtime',
  'performance',
] as const;

beforeEach(() => void jest.useFakeTimers({ doNotFake: [...TIMERS] }));
afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(started.splice(0).map((issuer) => issuer.stop()));
});

/** An issuer that the directory knows, and a verifier that has fetched nothing yet. */
async function bundle() {
  const issuer = await TokenIssuer.start();
  started.push(issuer);
  const find = async (url: string) => (url === issuer.url ? { url, audience: ['plat'] } : undefined);
  const verifier = new TokenVerifier({ find }, new IssuerKeys(true));
  let made = 0;
  const token = (kid?: string) =>
    issuer.token({ sub: 'alice', jti: String(made++) }, kid === undefined ? {} : { header: { kid } });
  return { issuer, verifier, token };
}

const pass = (milliseconds: number) => jest.setSystemTime(Date.now() + milliseconds);

const accepted = expect.objectContaining({ subject: 'alice' });

describe("an issuer's keys", () => {
  it('are fetched once for many tokens, though they arrive together', async () => {
    const { issuer, verifier, token } = await bundle();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => token()));
    expect(await Promise.all(tokens.map((each) => verifier.verify(each)))).toEqual(
      tokens.map(() => accepted),
    );
    expect(issuer.jwksFetches).toBe(1);
  });

  it('are never fetched from an issuer that the directory does not know', async () => {
    const [{ verifier }, stranger] = [await bundle(), await bundle()];
    await expect(verifier.verify(await stranger.token())).rejects.toThrow('unknown issuer');
    expect(stranger.issuer.jwksFetches).toBe(0);
  });

  it('are fetched again for an unknown key id: "one refetch per issuer in 30 s"', async () => {
    const { issuer, verifier, token } = await bundle();
    await verifier.verify(await token());
    for (const kid of ['a', 'b', 'c']) {
      await expect(verifier.verify(await token(kid))).rejects.toThrow('not valid');
    }
    expect(issuer.jwksFetches).toBe(2);
    pass(29_000);
    await expect(verifier.verify(await token('d'))).rejects.toThrow('not valid');
    expect(issuer.jwksFetches).toBe(2);
    pass(1_001);
    await expect(verifier.verify(await token('e'))).rejects.toThrow('not valid');
    expect(issuer.jwksFetches).toBe(3);
  });

  it('are fetched at once after a rotation, and the old ones are refused from then on', async () => {
    const { issuer, verifier, token } = await bundle();
    await verifier.verify(await token());
    const before = await token();
    await issuer.rotateKeys();
    expect(await verifier.verify(await token())).toEqual(accepted);
    await expect(verifier.verify(before)).rejects.toThrow('not valid');
  });

  it('that were withdrawn are accepted for ten minutes at most, even if the service was idle meanwhile', async () => {
    const { issuer, verifier, token } = await bundle();
    const [first, second, third] = [await token(), await token(), await token()];
    await verifier.verify(first);
    await issuer.rotateKeys();
    pass(599_000);
    expect(await verifier.verify(second)).toEqual(accepted);
    pass(1_001);
    await expect(verifier.verify(third)).rejects.toThrow('not valid');
  });

  it('that are cached keep working while the issuer is out of reach', async () => {
    const { issuer, verifier, token } = await bundle();
    await verifier.verify(await token());
    issuer.stopAnswering();
    pass(3_000_000);
    expect(await verifier.verify(await token())).toEqual(accepted);
    expect(await verifier.verify(await token())).toEqual(accepted);
  });

  it('are asked for once in 30 s during an outage, whatever key ids arrive', async () => {
    const { issuer, verifier, token } = await bundle();
    await verifier.verify(await token());
    issuer.stopAnswering();
    for (const kid of ['a', 'b', 'c']) {
      await expect(verifier.verify(await token(kid))).rejects.toThrow('not valid');
    }
    // Only the first of the three tokens led to an attempt, which failed at the discovery document.
    pass(31_000);
    issuer.startAnswering();
    await issuer.rotateKeys();
    expect(await verifier.verify(await token())).toEqual(accepted);
    expect(issuer.jwksFetches).toBe(2);
  });

  it('that were never fetched make every token invalid, and are asked for again after a pause', async () => {
    const { issuer, verifier, token } = await bundle();
    issuer.stopAnswering();
    await expect(verifier.verify(await token())).rejects.toThrow('not valid');
    issuer.startAnswering();
    await expect(verifier.verify(await token())).rejects.toThrow('not valid');
    expect(issuer.jwksFetches).toBe(0);
    pass(5_001);
    expect(await verifier.verify(await token())).toEqual(accepted);
  });

  it.each([
    ['describes itself as another issuer', (url: string) => `${url}/`],
    ['is missing', (url: string) => `${url}/elsewhere`],
  ])('are not fetched if the discovery document %s', async (_, named) => {
    const { issuer } = await bundle();
    const iss = named(issuer.url);
    const find = async (url: string) => (url === iss ? { url, audience: ['plat'] } : undefined);
    const verifier = new TokenVerifier({ find }, new IssuerKeys(true));
    const token = await issuer.token({ sub: 'alice', iss });
    await expect(verifier.verify(token)).rejects.toThrow('not valid');
    expect(issuer.jwksFetches).toBe(0);
  });

  it('are not fetched over plain http unless the deployment allows it', async () => {
    const { issuer, token } = await bundle();
    const find = async (url: string) => ({ url, audience: ['plat'] });
    const verifier = new TokenVerifier({ find }, new IssuerKeys(false));
    await expect(verifier.verify(await token())).rejects.toThrow('not valid');
    expect(issuer.jwksFetches).toBe(0);
  });
});

describe('a verified token', () => {
  it('is remembered by the whole token: a changed signature is not the same token', async () => {
    const { verifier, token } = await bundle();
    const good = await token();
    await verifier.verify(good);
    const [header, payload, signature = ''] = good.split('.');
    const other = signature.startsWith('A') ? 'B' : 'A';
    const forged = [header, payload, other + signature.slice(1)].join('.');
    await expect(verifier.verify(forged)).rejects.toThrow('not valid');
  });

  it('is forgotten when it expires', async () => {
    const { issuer, verifier, token } = await bundle();
    const short = await issuer.token({ sub: 'alice' }, { lifetimeSeconds: 20 });
    const long = await token();
    await Promise.all([verifier.verify(short), verifier.verify(long)]);
    pass(26_000);
    await expect(verifier.verify(short)).rejects.toThrow('not valid');
    expect(await verifier.verify(long)).toEqual(accepted);
  });

  it('is believed for a minute at most: then its key must still be one of the issuer', async () => {
    const { issuer, verifier, token } = await bundle();
    const remembered = await token();
    await verifier.verify(remembered);
    await issuer.rotateKeys();
    // A token of the new key makes the new keys known at once.
    expect(await verifier.verify(await token())).toEqual(accepted);
    expect(await verifier.verify(remembered)).toEqual(accepted);
    pass(60_001);
    await expect(verifier.verify(remembered)).rejects.toThrow('not valid');
  });
});

import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { CompactEncrypt, CompactSign, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import { TEST_AUDIENCE, type TokenAlgorithm, TokenIssuer } from '@plat/testing';
import { IssuerKeys } from './issuer-keys';
import { TokenVerifier } from './token-verifier';

const cleanUp: TokenIssuer[] = [];
afterEach(() => Promise.all(cleanUp.splice(0).map((issuer) => issuer.stop())));

/** An issuer at a path, and a verifier whose directory knows it and a second one. */
const SECOND_AUDIENCE = 'https://former.example.com';

async function bundle(...algorithms: TokenAlgorithm[]) {
  const [first = 'ES256', ...rest] = algorithms;
  const issuer = await TokenIssuer.start({ algorithms: [first, ...rest], path: '/Acme' });
  const other = await TokenIssuer.start();
  cleanUp.push(issuer, other);
  const known = new Map(
    [issuer, other].map(({ url }) => [url, { url, audience: [TEST_AUDIENCE, SECOND_AUDIENCE] }]),
  );
  const verifier = new TokenVerifier({ find: async (url) => known.get(url) }, new IssuerKeys(true));
  return { issuer, other, verifier };
}

const base64url = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const claims = (issuer: TokenIssuer): JWTPayload => ({
  iss: issuer.url,
  aud: TEST_AUDIENCE,
  sub: 'alice',
  exp: Math.floor(Date.now() / 1000) + 60,
});

describe('a token is accepted', () => {
  it.each([
    'RS256',
    'RS384',
    'RS512',
    'PS256',
    'PS384',
    'PS512',
    'ES256',
    'ES384',
    'ES512',
    'EdDSA',
  ] as const)('when it is signed with %s', async (algorithm) => {
    const { issuer, verifier } = await bundle(algorithm);
    const verified = await verifier.verify(await issuer.token({ sub: 'alice' }));
    expect(verified).toMatchObject({ issuer: issuer.url, subject: 'alice' });
    expect(verified).not.toHaveProperty('organization');
  });

  it('when it is meant for another audience of its issuer', async () => {
    const { issuer, verifier } = await bundle();
    const token = await issuer.token({ sub: 'alice', aud: SECOND_AUDIENCE });
    expect(await verifier.verify(token)).toMatchObject({ subject: 'alice' });
  });

  it('when one of its audiences is ours', async () => {
    const { issuer, verifier } = await bundle();
    const token = await issuer.token({ sub: 'alice', aud: ['other', TEST_AUDIENCE] });
    expect(await verifier.verify(token)).toMatchObject({ subject: 'alice' });
  });

  it.each([
    ['JWT', {}],
    ['at+jwt', {}],
    ['application/AT+JWT', {}],
    [undefined, {}],
    ['JWT', { typ: 'Bearer' }],
    ['JWT', { token_use: 'access' }],
  ])('when it says that it is an access token: typ %s, %j', async (typ, kind) => {
    const { issuer, verifier } = await bundle();
    const token = await issuer.token({ sub: 'alice', ...kind }, { header: { typ: typ as string } });
    expect(await verifier.verify(token)).toMatchObject({ subject: 'alice' });
  });
});

describe('a token is refused', () => {
  it('when it is not signed: alg none', async () => {
    const { issuer, verifier } = await bundle();
    for (const alg of ['none', 'None', 'NONE', '']) {
      const token = `${base64url({ alg, typ: 'JWT' })}.${base64url(claims(issuer))}.`;
      await expect(verifier.verify(token)).rejects.toThrow('not valid');
    }
  });

  it.each(['JWK', 'PEM', 'DER', 'modulus'])('when HS256 signs it with the public key: %s', async (dress) => {
    const { issuer, verifier } = await bundle('RS256');
    const jwk = issuer.publicJwk();
    const key = await importJWK({ ...jwk, ext: true }, 'RS256');
    const { KeyObject } = await import('node:crypto');
    const object = KeyObject.from(key as Parameters<typeof KeyObject.from>[0]);
    const secrets: Record<string, Buffer> = {
      JWK: Buffer.from(JSON.stringify(jwk)),
      PEM: Buffer.from(object.export({ type: 'spki', format: 'pem' }) as string),
      DER: object.export({ type: 'spki', format: 'der' }),
      modulus: Buffer.from(jwk.n!, 'base64url'),
    };
    const token = await new SignJWT(claims(issuer))
      .setProtectedHeader({ alg: 'HS256', kid: jwk.kid })
      .sign(secrets[dress]!);
    await expect(verifier.verify(token)).rejects.toThrow('not valid');
  });

  it.each([
    'logout+jwt',
    'id_token+jwt',
    'dpop+jwt',
    'secevent+jwt',
    'oauth-authz-req+jwt',
    'token-introspection+jwt',
    'rt+jwt',
    'JOSE',
    'at+jwt ',
    '',
    1,
    null,
    ['JWT', 'at+jwt'],
  ])('when its typ is not that of an access token: %j', async (typ) => {
    const { issuer, verifier } = await bundle();
    const token = await issuer.token({ sub: 'alice' }, { header: { typ: typ as string } });
    await expect(verifier.verify(token)).rejects.toThrow('no access token');
  });

  it.each([
    { typ: 'ID' },
    { typ: 'Refresh' },
    { typ: 'Logout' },
    { typ: 7 },
    { token_use: 'id' },
    { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  ])('when a claim says that it is an ID, refresh or logout token: %j', async (kind) => {
    const { issuer, verifier } = await bundle();
    const token = await issuer.token({ sub: 'alice', ...kind });
    await expect(verifier.verify(token)).rejects.toThrow('no access token');
  });

  it.each([
    ['exp', '1e400'],
    ['exp', '1e300'],
    ['nbf', '-1e400'],
    ['iat', '-1e400'],
  ])('when its %s is not a time: %s', async (claim, value) => {
    const { issuer, verifier } = await bundle();
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const { exportJWK } = await import('jose');
    issuer.publish({ ...(await exportJWK(publicKey)), kid: 'mine', alg: 'ES256' });
    const text = JSON.stringify({ ...claims(issuer), [claim]: 0 }).replace(
      `"${claim}":0`,
      `"${claim}":${value}`,
    );
    const token = await new CompactSign(Buffer.from(text))
      .setProtectedHeader({ alg: 'ES256', kid: 'mine' })
      .sign(privateKey);
    await expect(verifier.verify(token)).rejects.toThrow('is no time');
  });

  it('when its RSA key is under 2048 bits', async () => {
    const { issuer, verifier } = await bundle();
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    issuer.publish({ ...publicKey.export({ format: 'jwk' }), kid: 'short', alg: 'RS256', use: 'sig' });
    const signed = `${base64url({ alg: 'RS256', kid: 'short' })}.${base64url(claims(issuer))}`;
    const signature = sign(
      'sha256',
      Buffer.from(signed),
      createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    );
    await expect(verifier.verify(`${signed}.${signature.toString('base64url')}`)).rejects.toThrow(
      'not valid',
    );
  });

  it.each([
    ['unknown', ['exotic']],
    ['duplicate', ['b64', 'b64']],
    ['known to the library alone', ['b64']],
    ['empty', []],
  ])('when its crit is %s', async (_, crit) => {
    const { issuer, verifier } = await bundle();
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const { exportJWK } = await import('jose');
    issuer.publish({ ...(await exportJWK(publicKey)), kid: 'mine', alg: 'ES256' });
    const header = base64url({ alg: 'ES256', kid: 'mine', crit, b64: true, exotic: 1 });
    const signed = `${header}.${base64url(claims(issuer))}`;
    const { KeyObject } = await import('node:crypto');
    const key = KeyObject.from(privateKey as Parameters<typeof KeyObject.from>[0]);
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
    await expect(verifier.verify(`${signed}.${signature.toString('base64url')}`)).rejects.toThrow('crit');
  });

  it('when it is encrypted (JWE), though a signed token is inside', async () => {
    const { issuer, verifier } = await bundle('RS256');
    const key = await importJWK(issuer.publicJwk(), 'RSA-OAEP-256');
    const token = await new CompactEncrypt(Buffer.from(await issuer.token({ sub: 'alice' })))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT' })
      .encrypt(key);
    await expect(verifier.verify(token)).rejects.toThrow('not a token');
  });

  it.each(['jku', 'x5u', 'jwk', 'x5c'])('when its header %s brings a key of its own', async (name) => {
    const { issuer, other, verifier } = await bundle();
    const value = name === 'jwk' ? other.publicJwk() : name === 'x5c' ? ['MIIB'] : `${other.url}/jwks`;
    const token = await issuer.token({ sub: 'alice' }, { header: { [name]: value } });
    await expect(verifier.verify(token)).rejects.toThrow(name);
    expect(other.jwksFetches).toBe(0);
  });

  it('when another known issuer signed it with the same key id', async () => {
    const { issuer, other, verifier } = await bundle();
    const { kid } = issuer.publicJwk();
    other.publish({ ...other.publicJwk(), kid });
    await verifier.verify(await other.token({ sub: 'alice' }));
    const token = await issuer.token({ sub: 'alice' }, { signedBy: other, header: { kid } });
    await expect(verifier.verify(token)).rejects.toThrow('not valid');
  });

  it.each([
    ['a slash at the end', (url: string) => `${url}/`],
    ['case of the path', (url: string) => url.toLowerCase()],
    ['case of the scheme', (url: string) => url.replace('http', 'HTTP')],
    ['another port', (url: string) => url.replace(/:\d+/, ':1')],
    ['no port', (url: string) => url.replace(/:\d+/, '')],
    ['a trailing space', (url: string) => `${url} `],
    ['an encoded letter', (url: string) => url.replace('/A', '/%41')],
  ])('when its issuer differs by %s', async (_, change) => {
    const { issuer, verifier } = await bundle();
    const token = await issuer.token({ sub: 'alice', iss: change(issuer.url) });
    await expect(verifier.verify(token)).rejects.toThrow('unknown issuer');
  });

  it.each([
    ['another audience', { aud: 'other' }],
    ['our audience in another case', { aud: TEST_AUDIENCE.toUpperCase() }],
    ['no audience', { aud: undefined }],
    ['an empty list of audiences', { aud: [] }],
    ['no exp', { exp: undefined }],
    ['an exp that is text', { exp: '9999999999' }],
    ['an exp in the past', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['an nbf in the future', { nbf: Math.floor(Date.now() / 1000) + 60 }],
    ['an nbf that is text', { nbf: '0' }],
    ['no issuer', { iss: undefined }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject that is a number', { sub: 7 }],
    ['a subject with NUL', { sub: 'a\0b' }],
    ['a subject with a lone surrogate', { sub: 'a\ud800' }],
    ['a subject of more than 255 characters', { sub: 'x'.repeat(256) }],
  ])('when it has %s', async (_, changed) => {
    const { issuer, verifier } = await bundle();
    const token = await issuer.token({ sub: 'alice', ...(changed as JWTPayload) });
    await expect(verifier.verify(token)).rejects.toThrow();
  });

  it('when its issuer is a list', async () => {
    const { issuer, verifier } = await bundle();
    const token = await issuer.token({ sub: 'alice', iss: [issuer.url] as unknown as string });
    await expect(verifier.verify(token)).rejects.toThrow('unknown issuer');
  });

  it('when its signed content is not a JSON object', async () => {
    const { issuer, verifier } = await bundle();
    const { privateKey } = await generateKeyPair('ES256');
    const token = await new CompactSign(Buffer.from('"text"'))
      .setProtectedHeader({ alg: 'ES256', kid: issuer.publicJwk().kid })
      .sign(privateKey);
    await expect(verifier.verify(token)).rejects.toThrow('not a token');
  });

  it.each([
    '',
    'x',
    'a.b',
    '..',
    'a.b.c.d',
    'not.a.token',
    '\u0000.\u0000.\u0000',
    `${'a'.repeat(20_000)}.b.c`,
  ])('when its text is not a token: %.20j', async (text) => {
    const { verifier } = await bundle();
    await expect(verifier.verify(text)).rejects.toThrow(/not a token|too long/);
  });
});

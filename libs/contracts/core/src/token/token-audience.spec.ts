import { audiencesOf, mayBeFor } from './token-audience';

const API = 'https://api.example.com';
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown) => `${part({ alg: 'RS256' })}.${part(claims)}.signature`;

describe('the audience of a token', () => {
  it('is what a signed token names, one or several', () => {
    expect(audiencesOf(jwt({ aud: API, name: 'Zoë ÿ>?' }))).toEqual([API]);
    expect(audiencesOf(jwt({ aud: ['account', API] }))).toEqual(['account', API]);
    expect(mayBeFor(jwt({ aud: ['account', API] }), API)).toBe(true);
  });

  it.each([
    ['another API', { aud: 'https://other.example.com' }],
    ['a name that begins alike', { aud: `${API}.evil.example` }],
    ['several others', { aud: ['account', 'https://other.example.com'] }],
    ['none', {}],
    ['no text', { aud: { [API]: API } }],
  ])('is not this API if the token names %s', (_what, claims) => {
    expect(mayBeFor(jwt(claims), API)).toBe(false);
  });

  it.each([
    'opaque',
    '',
    'a.b.c',
    `${part({})}.${part(null)}.x`,
    `${part({})}.${part('text')}.x`,
    `${part({ enc: 'A256GCM' })}.a.b.c.d`,
  ])('is unknown for a token that is not a signed one: %j', (token) => {
    expect([audiencesOf(token), mayBeFor(token, API)]).toEqual([undefined, true]);
  });
});

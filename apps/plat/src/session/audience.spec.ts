import { ownAudience } from './audience';

const ADDRESS = 'https://api.example.com/plat';

describe('the audience of tokens for a platform', () => {
  it('is the address, or the name of the API for itself at the same origin', () => {
    expect(ownAudience(undefined, ADDRESS)).toBe(ADDRESS);
    expect(ownAudience('', ADDRESS)).toBe(ADDRESS);
    expect(ownAudience('https://api.example.com', ADDRESS)).toBe('https://api.example.com');
    expect(ownAudience('https://API.example.com:443/other', ADDRESS)).toBe(
      'https://API.example.com:443/other',
    );
  });

  it.each(['http://127.0.0.1:7070', 'http://localhost:7070', 'https://[::1]:7070'])(
    'has another origin behind a forward to this machine: %s',
    (address) => expect(ownAudience('https://api.example.com', address)).toBe('https://api.example.com'),
  );

  it.each([
    'https://other.example.com',
    'https://api.example.com:8443',
    'http://api.example.com',
    'https://api.example.com.evil.example',
    'https://api.example.com@evil.example',
    'api://api.example.com',
    'https://localhost',
    'text',
  ])('is never the name of another platform: %s', (named) => {
    expect(() => ownAudience(named, ADDRESS)).toThrow(
      expect.objectContaining({
        code: 'OTHER_AUDIENCE',
        details: expect.objectContaining({ apiUrl: ADDRESS, audience: named }) as object,
      }),
    );
  });
});

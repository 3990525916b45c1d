import { placesFromElsewhere, placesWithoutHash } from './hashes.mjs';

const HASH = `sha512-${'a'.repeat(86)}==`;

describe('the hashes of a lock file', () => {
  it('are demanded of each package, optional and nested ones too', () => {
    expect(
      placesWithoutHash({
        '': { name: 'root' },
        'node_modules/a': { version: '1.0.0', integrity: HASH },
        'node_modules/b': { version: '1.0.0', optional: true },
        'node_modules/a/node_modules/c': { version: '1.0.0', resolved: 'https://registry.example/c.tgz' },
        'node_modules/d': { link: true, resolved: 'libs/d' },
      }),
    ).toEqual(['node_modules/b', 'node_modules/a/node_modules/c']);
  });

  it.each(['', 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=', 'sha512-', `md5-${'a'.repeat(22)}==`])(
    'are of a kind that cannot be forged: %j',
    (integrity) => expect(placesWithoutHash({ 'node_modules/a': { integrity } })).toEqual(['node_modules/a']),
  );
});

describe('the addresses of a lock file', () => {
  const placesOf = (resolved: string, more = {}) =>
    placesFromElsewhere({
      '': {},
      'node_modules/a/node_modules/@s/b': { integrity: HASH, resolved, ...more },
    });

  it.each([
    'https://elsewhere.example/@s/b/-/b-1.0.0.tgz',
    'http://registry.npmjs.org/@s/b/-/b-1.0.0.tgz',
    'https://registry.npmjs.org.elsewhere.example/@s/b/-/b-1.0.0.tgz',
    'https://registry.npmjs.org/other/-/other-1.0.0.tgz',
    'git+ssh://git@forge.example/s/b.git#0123456',
    'file:../b',
  ])('are none but that of the package itself at the registry: %s', (resolved) => {
    expect(placesOf(resolved)).toEqual(['node_modules/a/node_modules/@s/b']);
  });

  it('may be absent, and an alias has that of the package that it stands for', () => {
    expect(placesFromElsewhere({ 'node_modules/a': { integrity: HASH } })).toEqual([]);
    expect(placesOf('https://registry.npmjs.org/@s/b/-/b-1.0.0.tgz')).toEqual([]);
    expect(placesOf('https://registry.npmjs.org/c/-/c-1.0.0.tgz', { name: 'c' })).toEqual([]);
  });
});

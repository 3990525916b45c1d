import { placesWithoutHash } from './hashes.mjs';

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

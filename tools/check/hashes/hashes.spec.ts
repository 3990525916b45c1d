import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from '@plat/testing';
import { locksOf, shrinkwrapsOf } from '../../lock-files.mjs';
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
      'node_modules/a/node_modules/@s/b': { version: '1.0.0', integrity: HASH, resolved, ...more },
    });

  it.each([
    'https://elsewhere.example/@s/b/-/b-1.0.0.tgz',
    'http://registry.npmjs.org/@s/b/-/b-1.0.0.tgz',
    'https://registry.npmjs.org.elsewhere.example/@s/b/-/b-1.0.0.tgz',
    'https://registry.npmjs.org/other/-/other-1.0.0.tgz',
    'git+ssh://git@forge.example/s/b.git#0123456',
    'file:../b',
    'https://registry.npmjs.org/@s/b/-/../../../c/-/c-1.0.0.tgz',
    'https://registry.npmjs.org/@s/b/-/b-0.9.0.tgz',
    'https://registry.npmjs.org/@s/b/-/b-1.0.0.tgz?of=c',
  ])('are none but that of the package itself, and of its version, at the registry: %s', (resolved) => {
    expect(placesOf(resolved)).toEqual(['node_modules/a/node_modules/@s/b']);
  });

  it('may be absent, and a known alias has that of the package that it stands for', () => {
    expect(placesFromElsewhere({ 'node_modules/a': { version: '1.0.0', integrity: HASH } })).toEqual([]);
    expect(placesOf('https://registry.npmjs.org/@s/b/-/b-1.0.0.tgz')).toEqual([]);
    const resolved = 'https://registry.npmjs.org/strip-ansi/-/strip-ansi-6.0.1.tgz';
    const alias = { name: 'strip-ansi', version: '6.0.1', integrity: HASH };
    for (const entry of [alias, { ...alias, resolved }]) {
      expect(placesFromElsewhere({ 'node_modules/strip-ansi-cjs': entry })).toEqual([]);
    }
  });

  it.each(['dependencies', 'devDependencies'])('are those of the aliases among its own %s', (kind) => {
    const alias = { name: '@s/b', version: '1.0.0', integrity: HASH };
    const manifest = { [kind]: { b: 'npm:@s/b@1.0.0' } };
    expect(placesFromElsewhere({ 'node_modules/b': alias }, manifest)).toEqual([]);
    const other = { ...alias, name: '@s/c' };
    expect(placesFromElsewhere({ 'node_modules/b': other }, manifest)).toEqual(['node_modules/b']);
  });

  it.each([
    ['stands for a package of another name', { name: 'c', version: '1.0.0', integrity: HASH }],
    ['is a link', { link: true, resolved: '../d' }],
  ])('do not hide a place that %s', (_what, entry) => {
    expect(placesFromElsewhere({ 'node_modules/b': entry })).toEqual(['node_modules/b']);
  });
});

it('a file that npm reads in place of a lock file is found, wherever it lies and before it is committed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'plat-hashes-'));
  spawnSync('git', ['init', '--quiet', root]);
  await mkdir(join(root, 'tools'));
  const files = ['package-lock.json', 'npm-shrinkwrap.json', 'tools/npm-shrinkwrap.json'];
  for (const file of files) await writeFile(join(root, file), '{}');
  expect([locksOf(root), shrinkwrapsOf(root)]).toEqual([[files[0]], files.slice(1)]);
  await rm(root, { recursive: true });
});

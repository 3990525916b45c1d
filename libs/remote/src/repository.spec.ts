import * as fc from 'fast-check';
import { REPOSITORY_LENGTH_MAX } from '@plat/contracts/core';
import { withoutCredentials } from './remote';
import { canonicalRepository, fetchAddress } from './repository';

const hosted = 'https://forge.example/Org/Repo';

describe('canonicalRepository', () => {
  it.each([
    'https://forge.example/Org/Repo',
    'https://forge.example/Org/Repo.git',
    'https://forge.example/Org/Repo/',
    'https://forge.example/Org/Repo.git//',
    'https://forge.example/Org/Repo/.git',
    'HTTPS://Forge.EXAMPLE/Org/Repo',
    '  https://forge.example/Org/Repo\n',
    'https://user:p@ss@forge.example/Org/Repo.git',
    'git@forge.example:Org/Repo.git',
    'forge.example:Org/Repo',
    'git@forge.example:/Org/Repo.git',
    'ssh://git@forge.example/Org/Repo.git',
    'SSH://forge.example/Org/Repo/',
    'git+ssh://git@forge.example/Org/Repo.git',
  ])('an SSH remote and its HTTPS form are one identity: %j', (remote) => {
    expect(canonicalRepository(remote)).toBe(hosted);
  });

  it.each([
    ['path case is kept', 'https://forge.example/org/repo', 'https://forge.example/org/repo'],
    ['an explicit port is kept', 'https://forge.example:443/o/r', 'https://forge.example:443/o/r'],
    ['http is distinct from https', 'http://127.0.0.1:8080/o/r.git', 'http://127.0.0.1:8080/o/r'],
    ['ssh with a port stays ssh', 'ssh://git@forge.example:2222/o/r.git', 'ssh://forge.example:2222/o/r'],
    ['the git protocol is kept', 'git://forge.example/o/r.git', 'git://forge.example/o/r'],
    ['one .git is dropped', 'https://forge.example/o/r.git.git', 'https://forge.example/o/r.git'],
    ['.git is dropped only at the end', 'https://forge.example/o.git/r', 'https://forge.example/o.git/r'],
    ['a scheme without slashes is a host, as git reads it', 'file:o/r', 'https://file/o/r'],
    ['a home directory is a path', 'git@forge.example:~me/r', 'https://forge.example/~me/r'],
    ['an IP address has one spelling', 'https://0x7f.1/o/r', 'https://127.0.0.1/o/r'],
    ['an IPv6 host keeps its brackets', 'git@[::1]:o/r', 'https://[::1]/o/r'],
    ['a file URL is an identity', 'file:///srv/git/r.git', 'file:///srv/git/r'],
    ['an absolute path is the same identity', '/srv/git/r.git/', 'file:///srv/git/r'],
    ['a path is written as a URL', '/srv/my repo#1', 'file:///srv/my%20repo%231'],
    ['a file URL is read as git reads it', 'file:///srv/%6dy%20repo', 'file:///srv/my%20repo'],
  ])('%s', (_rule, remote, identity) => {
    expect(canonicalRepository(remote)).toBe(identity);
  });

  it.each([
    ...[
      '',
      '   ',
      '/',
      '//',
      '.',
      '..',
      '-',
      '--upload-pack=x',
      'o/r',
      'github.com/o/r',
      '../r',
      './r',
      '~/r',
      'r',
    ],
    ...[
      'https://forge.example',
      'https://forge.example/',
      'https://forge.example/.git',
      'https://forge.example/...git',
      'git@forge.example:',
    ],
    ...[
      'https://',
      'https:///o/r',
      'https://-x/o/r',
      'https://forge.example:0/o/r',
      'https://forge.example:99999/o/r',
    ],
    ...[
      'demo::anything@forge.example:o/r',
      'ext::sh -c x%S@forge.example:o/r',
      'ext::sh',
      '::@forge.example:o/r',
      'git-remote.x+y::https://forge.example/o/r',
    ],
    ...[
      '-oProxyCommand=x@forge.example:o/r',
      'ssh://-oProxyCommand=x@forge.example/o/r',
      'ssh://%2doProxyCommand=x@forge.example/o/r',
      '-u:p@forge.example:o/r',
      'https://-x@forge.example/o/r',
    ],
    ...[
      'ssh://forge.example',
      'git@:o/r',
      'git@-host:o/r',
      'git@forge.example::o/r',
      'ftp://forge.example/o/r',
    ],
    ...['https://forge.example/o/r?x=1', 'https://forge.example/o/r#x', 'https://forge.example/o\\r'],
    ...[
      'https://forge.example/o/../r',
      'https://forge.example/o/%2E%2e/r',
      '/srv/../r',
      'file:///srv/%2e%2e/r',
    ],
    ...['file://', 'file:///', 'file://host/x', 'file:///%zz', 'file:///a%00b', '/.git'],
    ...[
      'https://forge.example/o/r\0',
      'https://forge.example/o\nr',
      'https://forge.example/o r',
      '/srv/\ud800',
    ],
    ...[
      'https://fo rge.example/o/r',
      'https://0..0/o/r',
      'https://256.1.1.1/o/r',
      'https://[:::]/o/r',
      'https://[::1/o/r',
      'git@[::1:o/r',
      `https://forge.example/${'r'.repeat(REPOSITORY_LENGTH_MAX)}`,
    ],
  ])('names no repository: %j', (remote) => {
    expect(canonicalRepository(remote)).toBeUndefined();
  });
});

describe('fetchAddress', () => {
  it.each([
    ['.git is kept', 'https://forge.example/o/r.git', 'https://forge.example/o/r.git'],
    ['nothing is added', 'https://forge.example/o/r/', 'https://forge.example/o/r'],
    [
      'user name and password are dropped',
      'https://u:p@forge.example/o/r.git',
      'https://forge.example/o/r.git',
    ],
    ["SSH is read over the same host's HTTPS", 'git@forge.example:o/r.git', 'https://forge.example/o/r.git'],
    [
      'the SSH port is not the HTTPS port',
      'ssh://git@forge.example:2222/o/r.git',
      'https://forge.example/o/r.git',
    ],
    ['http stays http', 'http://127.0.0.1:8080/o/r.git', 'http://127.0.0.1:8080/o/r.git'],
    ['an absolute path is a file URL', '/srv/git/r.git', 'file:///srv/git/r.git'],
    ['a file URL stays one', 'file:///srv/git/r%20x.git', 'file:///srv/git/r%20x.git'],
  ])('%s', (_rule, remote, expected) => {
    expect(fetchAddress(remote)).toBe(expected);
  });

  it.each(['', 'o/r', 'https://forge.example', 'git://forge.example/o/r', 'https://forge.example/.git'])(
    'has none: %j',
    (remote) => expect(fetchAddress(remote)).toBeUndefined(),
  );
});

describe('every remote', () => {
  const segment = fc
    .stringMatching(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,12}$/)
    .filter((s) => !s.endsWith('.git'));
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));
  const host = fc.domain();
  const fragment = fc.constantFrom(
    'https://',
    'ssh://',
    'file://',
    '/',
    ':',
    '@',
    '.git',
    '..',
    '%2e',
    'h.example',
    '[',
    '-',
    ' ',
  );
  const noise = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(fragment, fc.string())).map((parts) => parts.join('')),
  );

  it('is canonicalized to the same identity from its SSH and its HTTPS form', () => {
    fc.assert(
      fc.property(host, path, fc.constantFrom('', '.git', '/', '.git/'), (name, repository, end) => {
        const identity = canonicalRepository(`https://${name}/${repository}`);
        expect(identity).toBe(`https://${name.toLowerCase()}/${repository}`);
        expect(canonicalRepository(`git@${name}:${repository}${end}`)).toBe(identity);
        expect(canonicalRepository(`ssh://git@${name}/${repository}${end}`)).toBe(identity);
        expect(canonicalRepository(`https://me:secret@${name}/${repository}${end}`)).toBe(identity);
      }),
    );
  });

  it('is unchanged by canonicalization if it is already an identity', () => {
    fc.assert(
      fc.property(noise, (remote) => {
        const identity = canonicalRepository(remote);
        if (identity === undefined || identity.endsWith('.git')) return;
        expect(canonicalRepository(identity)).toBe(identity);
      }),
      { numRuns: 2000 },
    );
  });

  it('is fetched from the repository that it names, and never throws', () => {
    fc.assert(
      fc.property(noise, (remote) => {
        const identity = canonicalRepository(remote);
        const address = fetchAddress(remote);
        if (address === undefined) return;
        expect(new URL(address).username + new URL(address).password).toBe('');
        if (identity?.startsWith('ssh:')) return;
        expect(canonicalRepository(address)).toBe(identity);
      }),
      { numRuns: 2000 },
    );
  });

  it('has the same identity without its credentials', () => {
    fc.assert(
      fc.property(noise, (remote) => {
        const identity = canonicalRepository(remote);
        const isUrl = /^\s*[a-z][a-z0-9+]*:\/\//i.test(remote);
        // git reads `user:password@host:path` as a path on a host `user`, so no one pushes to such a remote.
        if (identity === undefined || (!isUrl && /:.*@/s.test(remote))) return;
        expect(canonicalRepository(withoutCredentials(remote))).toBe(identity);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['/', 'a/', '.git/', '@', ':', '[', '%2e/', 'a.'])(
    'is read in no time, however long: %j',
    (unit) => {
      const start = performance.now();
      canonicalRepository(`https://forge.example/${unit.repeat(500_000)}`);
      canonicalRepository(unit.repeat(REPOSITORY_LENGTH_MAX / unit.length));
      expect(performance.now() - start).toBeLessThan(1000);
    },
  );
});

describe('withoutCredentials', () => {
  const token = 'x'.repeat(5000);

  it.each([
    [`https://ci:${token}@forge.example/Org/Repo.git`, 'https://forge.example/Org/Repo.git'],
    [`https://${token}@forge.example:8443/Org/Repo`, 'https://forge.example:8443/Org/Repo'],
    ['https://user:p@ss word@forge.example/Org/Repo', 'https://forge.example/Org/Repo'],
    ['ssh://git@forge.example/Org/Repo', 'ssh://forge.example/Org/Repo'],
    ['user:secret@forge.example:Org/Repo', 'forge.example:Org/Repo'],
    ['git@forge.example:Org/Repo.git\n', 'git@forge.example:Org/Repo.git'],
    ['https://forge.example/a@b', 'https://forge.example/a@b'],
    ['/srv/git/a@b', '/srv/git/a@b'],
  ])('drops the user name and password of a URL, however long, and nothing else: %s', (remote, kept) => {
    expect(withoutCredentials(remote)).toBe(kept);
  });
});

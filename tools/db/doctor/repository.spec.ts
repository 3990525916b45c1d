import { GitRemote, serveGit } from '@plat/testing';
import { findRepositoryFaults } from './repository';

describe('npm run db -- doctor --repository', () => {
  let remote: GitRemote;
  let server: Awaited<ReturnType<typeof serveGit>>;
  let url: string;
  let own: string;
  beforeAll(async () => {
    remote = await GitRemote.create();
    await remote.commit();
    server = await serveGit(remote.projectRoot, { tls: true });
    own = new URL(server.origin).host.replace('localhost', '127.0.0.1');
    url = `https://${own}/repo/.git`;
  });
  afterAll(async () => {
    await server.close();
    await remote.remove();
  });
  const examine = (variables: Record<string, string>, at = url) =>
    findRepositoryFaults(at, { REPOSITORY_CA: server.certificate, ...variables });

  it('finds nothing for a repository that the service can read', async () => {
    expect(await examine({ REPOSITORY_NETWORKS: own })).toEqual([]);
  });

  it.each<[string, () => Record<string, string>, () => string, RegExp, RegExp]>([
    [
      'an address that is not allowed',
      () => ({}),
      () => url,
      /the address 127\.0\.0\.1 is not allowed$/,
      /REPOSITORY_NETWORKS/,
    ],
    [
      'a host with addresses that are not allowed',
      () => ({ REPOSITORY_NETWORKS: '127.0.0.1/32' }),
      () => url.replace('127.0.0.1', 'git.localhost'),
      /the address ::1 of git\.localhost is not allowed$/,
      /REPOSITORY_NETWORKS/,
    ],
    [
      'a closed port',
      () => ({ REPOSITORY_NETWORKS: '127.0.0.1/32' }),
      () => 'https://127.0.0.1:1/repo',
      /nothing listens there/,
      /readable/,
    ],
    [
      'a repository that is not there',
      () => ({ REPOSITORY_NETWORKS: own }),
      () => `https://${own}/none/.git`,
      /no such repository/,
      /readable/,
    ],
    [
      'a certificate of an unknown authority',
      () => ({ REPOSITORY_NETWORKS: own, REPOSITORY_CA: '' }),
      () => url,
      /authority is not trusted/,
      /REPOSITORY_CA/,
    ],
    ['no repository', () => ({}), () => 'nonsense', /no address of a repository/, /readable/],
  ])('says the true cause, and what mends it: %s', async (_, variables, at, what, mend) => {
    expect(await examine(variables(), at())).toEqual([
      expect.objectContaining({
        severity: 'error',
        check: 'repository',
        what: expect.stringMatching(what) as string,
        mend: expect.stringMatching(mend) as string,
      }),
    ]);
  });

  it.each([
    [{ REPOSITORY_NETWORKS: '0.0.0.0/0' }, /^REPOSITORY_NETWORKS: 0.0.0.0\/0 would open every address/],
    [{ REPOSITORY_CA: '/etc/ssl/ca.crt' }, /^REPOSITORY_CA must be certificates in PEM$/],
  ])('refuses a value that cannot be used, by the name of its variable: %o', async (variables, fault) => {
    await expect(examine(variables)).rejects.toThrow(fault);
  });
});

import {
  type ChoiceFacts,
  chooseEnvironment,
  effectiveEnvironment,
  notConfigured,
} from './environment-choice';

const FACTS: ChoiceFacts = {
  folder: '/work/shop/src',
  known: [
    { tenant: 'acme', environment: 'dev', localRepoPath: '/work' },
    { tenant: 'acme', environment: 'shop', localRepoPath: '/work/shop' },
    { tenant: 'globex', environment: 'dev' },
  ],
  defaultTenant: 'globex',
  defaultEnvironments: { globex: 'dev' },
};
const elsewhere = { ...FACTS, folder: '/tmp' };
const name = (tenant: string, environment: string) => ({ tenant, environment });

describe('the environment without names', () => {
  it('is the one that PLAT_TENANT and PLAT_ENVIRONMENT name, before any other. Rule H2', () => {
    expect(effectiveEnvironment({ ...FACTS, own: name('own', 'pod') })).toEqual(name('own', 'pod'));
  });

  it('is otherwise the one whose localRepoPath holds the working folder: the longest wins', () => {
    expect(effectiveEnvironment(FACTS)).toEqual(name('acme', 'shop'));
    expect(effectiveEnvironment({ ...FACTS, folder: '/work/shop' })).toEqual(name('acme', 'shop'));
    expect(effectiveEnvironment({ ...FACTS, folder: '/work/shopping' })).toEqual(name('acme', 'dev'));
    expect(effectiveEnvironment({ ...FACTS, folder: '/work/..shop' })).toEqual(name('acme', 'dev'));
  });

  it('is the default one if two environments have the longest checkout', () => {
    const known = [...FACTS.known, { tenant: 'initech', environment: 'shop', localRepoPath: '/work/shop' }];
    expect(effectiveEnvironment({ ...FACTS, known })).toEqual(name('globex', 'dev'));
  });

  it('is otherwise the default environment of the default tenant', () => {
    expect(effectiveEnvironment(elsewhere)).toEqual(name('globex', 'dev'));
  });

  it.each([
    ['there is no default tenant', { defaultTenant: undefined }],
    ['the default tenant globex has no default environment', { defaultEnvironments: {} }],
  ])('is refused with what is configured if %s', (why, change) => {
    const choose = () => chooseEnvironment([], { ...elsewhere, ...change });
    expect(choose).toThrow(
      expect.objectContaining({
        code: 'NO_ENVIRONMENT_NAMED',
        message: `No environment is named, and ${why}. Configured: acme dev, acme shop, globex dev.`,
      }),
    );
  });

  it('is refused with the command that creates one if none is configured', () => {
    const empty = { folder: '/tmp', known: [], defaultEnvironments: {} };
    expect(() => chooseEnvironment([], empty)).toThrow(
      expect.objectContaining({ next: 'plat init <tenant> <env>' }),
    );
  });
});

describe('the environment of names', () => {
  it('is with one name an environment of the default tenant, and with two theirs. Rule H2', () => {
    expect(chooseEnvironment(['test'], FACTS)).toEqual(name('globex', 'test'));
    expect(chooseEnvironment(['acme', 'dev'], FACTS)).toEqual(name('acme', 'dev'));
  });

  it('is refused with one name and no default tenant', () => {
    expect(() => chooseEnvironment(['shop'], { ...FACTS, defaultTenant: undefined })).toThrow(
      expect.objectContaining({
        code: 'NO_DEFAULT_TENANT',
        next: 'give tenant and environment: acme shop; or choose one for good: plat config set defaultTenant acme',
      }),
    );
  });

  it('is refused if a name is none, also one of 100 KB', () => {
    expect(() => chooseEnvironment(['acme', '../dev'], FACTS)).toThrow(
      expect.objectContaining({ code: 'INVALID_NAME' }),
    );
    const long = () => chooseEnvironment(['acme', 'a'.repeat(100_000)], FACTS);
    expect(long).toThrow(/^environment "a{59}… \(100000 characters\) has more than 63 characters\.$/);
  });

  it('that is not configured is refused with the nearest one', () => {
    expect(notConfigured(name('acme', 'shpo'), FACTS.known)).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: 'There is no environment acme shpo. Configured: acme dev, acme shop, globex dev.',
      next: 'repeat the command with acme shop; to create the other: plat init acme shpo',
    });
  });
});

import { describeFault } from './fault';
import { nameFaults, namespaceOf, newNameFaults, runtimeNames, splitNamespace } from './names';

const LONG = 'a'.repeat(100 * 1024);
const found = (faults: ReturnType<typeof nameFaults>) => faults.map(describeFault);

describe('names of environments, Rule H1', () => {
  it.each([
    ['acme', 'dev'],
    ['a-b', 'c-d'],
    ['a', 'b9'],
    ['a'.repeat(31), 'b'.repeat(31)],
  ])('are %s and %s', (tenant, environment) => {
    expect(nameFaults({ tenant, environment })).toEqual([]);
  });

  it.each(['', '9a', 'A', 'a-', '-a', 'a_b', 'a.b', '../etc', 'ä', 'a\n', 'a\0', '__proto__'])(
    'are not %j',
    (name) => {
      const faults = nameFaults({ tenant: name, environment: name });
      expect(faults.map(({ field, value }) => [field, value])).toEqual([
        ['tenant', name],
        ['environment', name],
      ]);
    },
  );

  it('have 63 characters together', () => {
    const names = { tenant: 'a'.repeat(31), environment: 'b'.repeat(32) };
    expect(found(nameFaults(names))).toEqual([
      expect.stringMatching(/have more than 63 characters together$/),
    ]);
  });

  it('of 100 KB are refused by their length, and a message shows their beginning', () => {
    const [fault] = found(nameFaults({ tenant: LONG, environment: 'dev' }));
    expect(fault).toMatch(/^tenant "a{59}… \(102400 characters\) has more than 63 characters$/);
    expect(splitNamespace(`${LONG}-dev`)).toBeUndefined();
  });

  it.each([
    ['my-team', 'has a hyphen, but <tenant>-<env> is split at the first one'],
    ['kube', 'would give its environments namespaces that are reserved for Kubernetes'],
    ['portforward', 'is the name of a folder of the configuration'],
    [
      'a'.repeat(46),
      /^is too long: helm refuses the release a{46}-runtime, which has more than 53 characters$/,
    ],
  ])('are not given to a new tenant as %s', (tenant, why) => {
    expect(nameFaults({ tenant, environment: 'dev' })).toEqual([]);
    const expected = typeof why === 'string' ? why : (expect.stringMatching(why) as string);
    expect(newNameFaults({ tenant, environment: 'dev' })).toEqual([
      { field: 'tenant', value: tenant, why: expected },
    ]);
  });

  it('are given to a new tenant with 45 characters', () => {
    expect(newNameFaults({ tenant: 'a'.repeat(45), environment: 'my-dev' })).toEqual([]);
  });
});

describe('<tenant>-<env>', () => {
  it('is split at the first hyphen', () => {
    expect(splitNamespace('acme-dev-two')).toEqual({ tenant: 'acme', environment: 'dev-two' });
    expect(namespaceOf({ tenant: 'acme', environment: 'dev-two' })).toBe('acme-dev-two');
  });

  it.each(['acme', '-dev', 'acme-', 'acme--dev', 'Acme-dev', ''])('is not %j', (text) => {
    expect(splitNamespace(text)).toBeUndefined();
  });
});

describe('the objects of an environment', () => {
  it('are named by Rules H7 and H9', () => {
    expect(runtimeNames({ tenant: 'acme', environment: 'dev' })).toEqual({
      namespace: 'acme-dev',
      release: 'acme-runtime',
      mcpService: 'acme-mcp',
      sshService: 'acme-ssh',
      apiService: 'acme-api',
      sessionSecret: 'acme-runtime-session',
      gatewaySecret: 'acme-runtime-gateway',
      registrySecret: 'acme-runtime-registry',
      mcpSecret: 'acme-runtime-mcp',
      gitSecret: 'acme-runtime-git',
    });
  });
});

import { describeFault } from '../fault';
import { servicePort, targetIpFault } from './address';
import { brokerToken, dns01Faults, type Dns01Flags } from './dns01';
import { exposingPlatform, platformFaults, type PlatformOverrides } from './platform';

const BLOCK = { basedomain: 'example.com', env: 'ops-main' };
const LONG = 'a'.repeat(100 * 1024);

describe('--ip, Spec: Client, plat expose,', () => {
  it('is required, and an IPv4 address', () => {
    expect(targetIpFault('192.0.2.10')).toBeUndefined();
    expect(targetIpFault(undefined)).toEqual({ field: '--ip', why: 'is missing' });
  });

  it.each([
    '',
    '2001:db8::1',
    '::ffff:192.0.2.1',
    'edge.example.com',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.010',
    '192.0.2.1 ',
    '192.0.2.1\n',
    '0xc0.0.2.1',
    LONG,
  ])('is refused as %.20j', (text) => {
    expect(targetIpFault(text)).toMatchObject({ value: text, why: expect.stringContaining('no IPv4') });
  });
});

it.each([
  ['80', 80],
  ['1', 1],
  ['65535', 65_535],
  ['0', undefined],
  ['65536', undefined],
  ['-1', undefined],
  ['80.0', undefined],
  ['1e3', undefined],
  ['http', undefined],
  ['', undefined],
  [LONG, undefined],
])('--port %.10j is %j. Spec: Client, plat expose', (text, port) => {
  expect(servicePort(text)).toBe(port);
});

describe('the platform block and its overrides, Rules H3 and H12,', () => {
  const faults = (overrides: PlatformOverrides, block = BLOCK) =>
    platformFaults(block, overrides).map(describeFault);

  it('come together, and one alone is refused', () => {
    expect(faults({ servicesZone: 'lab.example.com', platformNamespace: 'dns' })).toEqual([]);
    expect(faults({ servicesZone: 'lab.example.com' })).toEqual([
      '--platform-namespace is missing: --services-zone is given, and they come together',
    ]);
    expect(faults({ platformNamespace: 'dns' })).toEqual([
      '--services-zone is missing: --platform-namespace is given, and they come together',
    ]);
  });

  it('require platform.env and the domain', () => {
    expect(platformFaults({}, {}).map(describeFault)).toEqual([
      'platform.basedomain is missing',
      'platform.env is missing',
    ]);
  });

  it('refuse what is no zone, no namespace and no class', () => {
    const overrides = { servicesZone: 'Lab', platformNamespace: 'a.b', ingressClass: 'a_b' };
    expect(faults(overrides)).toEqual([
      '--services-zone "Lab" is no domain, such as services.example.com',
      expect.stringMatching(/^--platform-namespace "a.b" is no name/),
      '--ingress-class "a_b" is no name of an ingress class',
    ]);
    expect(faults({ servicesZone: LONG, platformNamespace: LONG, ingressClass: LONG })).toHaveLength(3);
    expect(() => exposingPlatform(BLOCK, overrides)).toThrow();
  });
});

describe('the DNS-01 flags. Spec: Client, TLS rules, rule 3;', () => {
  const faults = (flags: Dns01Flags) => dns01Faults(flags).map(describeFault);

  it('are accepted', () => {
    const flags = {
      tokenFile: 'token',
      brokerUrl: 'http://broker.dns.svc:8080/v1',
      acmeEmail: 'ops@example.com',
      acmeServer: 'https://127.0.0.1:14000/dir',
      webhookGroupName: 'acme.example.com',
    };
    expect(faults(flags)).toEqual([]);
    expect(faults({})).toEqual([]);
  });

  it.each<[Dns01Flags, string]>([
    [{ tokenFile: '' }, '--dns01-token-file is no path'],
    [{ brokerUrl: 'broker' }, '--dns01-broker-url is no http(s) URL without credentials'],
    [{ brokerUrl: 'https://me:s3cret@b' }, '--dns01-broker-url is no http(s) URL without credentials'],
    [{ acmeEmail: 'ops' }, '--acme-email "ops" is no e-mail address'],
    [{ acmeEmail: 'a@b\n' }, '--acme-email "a@b\\n" is no e-mail address'],
    [{ acmeServer: 'ftp://x' }, '--acme-server is no http(s) URL without credentials'],
    [
      { webhookGroupName: 'Acme' },
      '--dns01-webhook-group-name "Acme" is no API group, such as acme.plat.internal',
    ],
  ])('%j is refused', (flags, message) => {
    expect(faults(flags)).toEqual([message]);
  });

  it('the token is one line without control characters', () => {
    expect(brokerToken('  s3cret\n')).toBe('s3cret');
    expect(brokerToken('a b')).toBe('a b');
    for (const text of ['', ' \n', 'one\ntwo', 'a\tb', 'a\0b', 'a\x1b[0m', '\ud800', LONG]) {
      expect(brokerToken(text)).toBeUndefined();
    }
  });
});

import { promisify } from 'node:util';
import { embeddedVerifierConfig } from '../config';
import { asFailure, guardedLookup, isAddressAllowed, vetRedirect, vetUrl } from './guards';

const strict = { allowLoopback: false };

describe('isAddressAllowed', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '140.82.121.4',
    '172.15.0.1',
    '172.32.0.1',
    '2606:50c0:8000::154',
    '2a00:1450::1',
  ])('admits the public address %s', (address) => expect(isAddressAllowed(address, strict)).toBe(true));

  it.each([
    ['this network', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT, with a metadata service', '100.100.100.200'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local, metadata', '169.254.169.254'],
    ['metadata', '168.63.129.16'],
    ['metadata', '192.0.0.192'],
    ['documentation', '203.0.113.7'],
    ['benchmarks', '198.19.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped, of a public address', '::ffff:8.8.8.8'],
    ['IPv4-mapped', '::ffff:a00:1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64, local', '64:ff9b:1::1'],
    ['Teredo', '2001:0:1::1'],
    ['6to4', '2002:7f00:1::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['unique local', 'fd00::1'],
    ['metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['discard', '100::1'],
  ])('refuses %s (%s)', (_, address) => expect(isAddressAllowed(address, strict)).toBe(false));

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '017700000001', '2130706433', '127.0.0.1 ', '1.2.3'])(
    'refuses %j, which is not a plain address',
    (address) => expect(isAddressAllowed(address, { allowLoopback: true })).toBe(false),
  );

  it('admits loopback if the deployment does, and nothing more', () => {
    const embedded = { allowLoopback: true };
    for (const address of ['127.0.0.1', '127.9.9.9', '::1']) {
      expect(isAddressAllowed(address, embedded)).toBe(true);
    }
    for (const address of ['10.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '0.0.0.0']) {
      expect(isAddressAllowed(address, embedded)).toBe(false);
    }
  });
});

describe('guardedLookup', () => {
  it("answers both forms of node:net's lookup, and never asks a name server for a loopback name", async () => {
    const lookup = guardedLookup(new URL('http://localhost/'), embeddedVerifierConfig);
    const all = promisify(lookup)('git.localhost', { all: true });
    expect(await all).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    const one = await new Promise((resolve) => lookup('localhost', {}, (...answer) => resolve(answer)));
    expect(one).toEqual([null, '127.0.0.1', 4]);
  });
});

describe('vetRedirect', () => {
  const vet = (from: string, location: string) => vetRedirect(new URL(from), location).href;

  it.each([
    ['https://forge.example/a', '/b', 'https://forge.example/b'],
    ['https://forge.example/a', 'https://forge.example:443/b', 'https://forge.example/b'],
    ['http://forge.example/a', 'https://forge.example/a', 'https://forge.example/a'],
  ])('from %s to %s is followed', (from, location, to) => expect(vet(from, location)).toBe(to));

  it.each([
    ['https://forge.example/a', 'http://forge.example/a'],
    ['https://forge.example/a', 'https://other.example/a'],
    ['https://forge.example/a', 'https://forge.example.other/a'],
    ['https://forge.example/a', 'https://forge.example:8443/a'],
    ['http://forge.example/a', 'https://other.example/a'],
    ['http://forge.example/a', 'https://forge.example:8443/a'],
    ['http://forge.example:8080/a', 'https://forge.example/a'],
    ['http://forge.example/a', 'ftp://forge.example/a'],
  ])('from %s to %s is not', (from, location) => {
    expect(() => vet(from, location)).toThrow(
      expect.objectContaining({ reason: 'remote_unreadable', message: 'redirect to another host' }),
    );
  });
});

describe('vetUrl', () => {
  it.each(['user@', ':secret@', 'user:secret@'])('refuses credentials: %s', (userinfo) => {
    expect(() => vetUrl(new URL(`https://${userinfo}forge.example/`), embeddedVerifierConfig)).toThrow(
      expect.objectContaining({ reason: 'remote_refused', message: 'credentials in the address' }),
    );
  });

  it.each([
    'https://forge.example/',
    'http://8.8.8.8/',
    'https://[2606:50c0:8000::154]/',
    'http://127.0.0.1/',
  ])('admits %s if the deployment does', (url) => vetUrl(new URL(url), embeddedVerifierConfig));
});

describe('asFailure', () => {
  const running = new AbortController().signal;

  it('passes on no text of a socket or parser', () => {
    const error = new Error('connect ECONNREFUSED 10.0.0.1:5432');
    expect(asFailure(error, running)).toMatchObject({ message: 'connection failed or was cut' });
    expect(asFailure(error, AbortSignal.abort())).toMatchObject({ message: 'verification took too long' });
  });
});

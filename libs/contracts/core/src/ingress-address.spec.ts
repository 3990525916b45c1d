import { ingressAddressFault } from './ingress-address';

describe('the address of an ingress', () => {
  it.each([
    ...['192.0.2.10', '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '198.18.0.1', '203.0.113.9'],
    // The neighbours of what is refused.
    ...['1.0.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '223.255.255.255'],
  ])('may be %s', (address) => {
    expect(ingressAddressFault(address)).toBeUndefined();
  });

  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.255.255.255', 'unspecified'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['169.254.0.0', 'link-local'],
    ['169.254.169.254', 'link-local'],
    ['224.0.0.0', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.0', 'reserved or broadcast'],
    ['255.255.255.255', 'reserved or broadcast'],
  ])('is not %s, which is %s', (address, kind) => {
    expect(ingressAddressFault(address)).toContain(`${kind} address`);
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '0x7f.0.0.1',
    '2130706433',
    '256.1.1.1',
    '1.2.3.4 ',
    '1.2.3.4\n',
    '::1',
  ])('is an IPv4 address in dotted decimal, not %j', (text) => {
    expect(ingressAddressFault(text)).toBe('is no IPv4 address');
  });
});

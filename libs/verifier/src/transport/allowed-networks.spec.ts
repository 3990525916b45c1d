import { AllowedNetworks, readNetworks } from './allowed-networks';

const allows = (entries: string, address: string, place = { host: 'git.house', port: 443 }) =>
  new AllowedNetworks(readNetworks(entries)).allows(address, place);

describe('REPOSITORY_NETWORKS', () => {
  it.each([
    ['10.20.0.0/16', '10.20.255.255'],
    ['fd12::/48', 'fd12::5'],
    [' 192.168.1.0/24 , 10.0.0.0/8 ', '10.9.9.9'],
    ['10.20.0.5:443', '10.20.0.5'],
    ['[fd12::5]:443', 'fd12::5'],
    ['git.house:443', '10.20.0.5'],
    ['GIT.house.:443', '10.20.0.5'],
    ['127.0.0.1/32', '127.0.0.1'],
    ['127.0.0.1:443', '127.0.0.1'],
    ['::1/128', '::1'],
    ['169.254.7.7/32', '169.254.7.7'],
  ])('%s opens %s', (entries, address) => expect(allows(entries, address)).toBe(true));

  it.each([
    ['', '10.0.0.1'],
    ['10.20.0.0/16', '10.21.0.1'],
    ['10.20.0.0/16', '::ffff:10.20.0.1'],
    ['10.20.0.0/16', '64:ff9b::a14:1'],
    ['10.20.0.0/16', 'fd00::1'],
    ['10.20.0.5:8443', '10.20.0.5'],
    ['other.house:443', '10.20.0.5'],
    ['git.house:8443', '10.20.0.5'],
    ['127.0.0.1/32', '127.0.0.2'],
    ['git.house:443', '127.0.0.1'],
    ['git.house:443', '169.254.169.254'],
    ['git.house:443', '::1'],
    ['git.house:443', 'fe80::1'],
    ['git.house:443', '0.0.0.0'],
    ['git.house:443', '::'],
    ['git.house:443', '::ffff:127.0.0.1'],
    ['git.house:443', 'ff02::1'],
    ['fd00::/8', 'fd00:ec2::254'],
    ['100.64.0.0/10', '100.100.100.200'],
    ['10.0.0.0/8', 'localhost'],
  ])('%j does not open %s', (entries, address) => expect(allows(entries, address)).toBe(false));

  it.each([
    ['0.0.0.0/0', 'would open every address'],
    ['::/0', 'would open every address'],
    ['0.0.0.0/1', "no host's"],
    ['128.0.0.0/1', "no host's"],
    ['::/1', "no host's"],
    ['127.0.0.0/8', 'one by one'],
    ['126.0.0.0/7', 'one by one'],
    ['127.0.0.0/31', 'one by one'],
    ['169.254.0.0/16', 'one by one'],
    ['fe80::/10', 'one by one'],
    ['fe00::/7', 'one by one|no host'],
    ['::ffff:10.0.0.0/104', 'wrap an IPv4 address'],
    ['::ffff:10.0.0.1/128', 'wrap an IPv4 address'],
    ['64:ff9b::/96', 'wrap an IPv4 address'],
    ['2002:a00::/24', 'wrap an IPv4 address'],
    ['0.0.0.0/32', "no host's"],
    ['0.0.0.0:443', "no host's"],
    ['224.0.0.0/4', "no host's"],
    ['10.0.0.0/33', 'is no CIDR'],
    ['10.0.0.0/', 'is no CIDR'],
    ['10.0.0/8', 'is no CIDR'],
    ['10.0.0.0/8/8', 'is no CIDR'],
    ['fe80::1%eth0/128', 'is no CIDR'],
    ['house/8', 'is no CIDR'],
    ['https://git.house', 'is no CIDR'],
    ['10.0.0.1', 'without prefix and port: write 10.0.0.1/32 or 10.0.0.1:443'],
    ['fd12::5', 'without prefix and port: write fd12::5/128 or \\[fd12::5\\]:443'],
    ['git.house', 'neither a CIDR nor host:port'],
    ['git.house:0', 'neither a CIDR nor host:port'],
    ['git.house:65536', 'neither a CIDR nor host:port'],
    ['git house:443', 'neither a CIDR nor host:port'],
    ['*.house:443', 'neither a CIDR nor host:port'],
    ['localhost:443', 'names the loopback, .* write 127.0.0.1:443 or \\[::1\\]:443'],
    ['git.localhost:443', 'names the loopback, .* write 127.0.0.1:443 or \\[::1\\]:443'],
    ['localhost:0', 'neither a CIDR nor host:port'],
    ['127.1:443', 'neither a CIDR nor host:port'],
    ['2130706433:443', 'neither a CIDR nor host:port'],
    ['0x7f000001:443', 'neither a CIDR nor host:port'],
  ])('is refused with %s, by its name', (entry, reason) => {
    const read = () => readNetworks(`10.20.0.0/16,${entry}`);
    expect(read).toThrow(entry);
    expect(read).toThrow(new RegExp(reason));
  });

  it('names every entry that cannot be used, each with its reason', () => {
    const read = () => readNetworks('localhost:7447, 10.20.0.0/16, 0.0.0.0/0, git.house');
    expect(read).toThrow(
      /^localhost:7447 names [^;]*; 0\.0\.0\.0\/0 would open [^;]*; git\.house is neither [^;]*$/,
    );
  });
});

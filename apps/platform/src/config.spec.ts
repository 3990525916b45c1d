import { ConfigError, readConfig } from '@plat/service';
import { PlatformConfig } from './config';

const NEEDED = { DATABASE_URL: 'postgres://plat_platform:x@localhost:5432/plat' };
const DNS = {
  DNS_SERVER: 'ns.example:5353',
  PLATFORM_SERVICES_ZONE: 'services.example',
  DNS_TSIG_NAME: 'key',
  DNS_TSIG_SECRET: 'c2VjcmV0',
};

describe('the configuration of the platform service', () => {
  it('needs no cluster and no name server', () => {
    const config = readConfig(PlatformConfig, NEEDED);
    expect([config.CLUSTER_KUBECONFIG, config.DNS_SERVER]).toEqual([undefined, undefined]);
  });

  it('takes a name server with its zone and key, and never prints the key', () => {
    const config = readConfig(PlatformConfig, { ...NEEDED, ...DNS });
    expect(JSON.stringify(config)).not.toContain(DNS.DNS_TSIG_SECRET);
    expect(config.DNS_TSIG_SECRET?.reveal()).toBe(DNS.DNS_TSIG_SECRET);
  });

  it.each(['PLATFORM_SERVICES_ZONE', 'DNS_TSIG_NAME', 'DNS_TSIG_SECRET'])(
    'refuses a name server without %s',
    (missing) => {
      expect(() => readConfig(PlatformConfig, { ...NEEDED, ...DNS, [missing]: undefined })).toThrow(
        ConfigError,
      );
    },
  );

  it.each(['https://ns.example', 'ns.example:53:53', 'a b'])('refuses %j as a name server', (server) => {
    expect(() => readConfig(PlatformConfig, { ...NEEDED, ...DNS, DNS_SERVER: server })).toThrow('DNS_SERVER');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it.each(['not base64!', 'c2VjcmV0=', 'c2Vj cmV0'])(
    'refuses %j as a TSIG secret and keeps it secret',
    (secret) => {
      const faults = faultsOf({ ...DNS, DNS_TSIG_SECRET: secret });
      expect(faults).toEqual(['DNS_TSIG_SECRET must be in base64']);
    },
  );

  it.each(['prod', 'prod,', ',', 'in-cluster'])(
    'refuses the contexts %j without a kubeconfig file',
    (text) => {
      const faults = [
        'CLUSTER_CONTEXTS must be names of contexts with commas between them, with a file as CLUSTER_KUBECONFIG',
      ];
      expect(faultsOf({ CLUSTER_CONTEXTS: text })).toEqual(faults);
      expect(faultsOf({ CLUSTER_CONTEXTS: text, CLUSTER_KUBECONFIG: 'in-cluster' })).toEqual(faults);
    },
  );

  describe('CLUSTER_KUBECONFIG', () => {
    let folder: string;
    beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'plat-config-'))));
    afterEach(() => rmSync(folder, { recursive: true }));
    const fileWith = (content: string): string => {
      const path = join(folder, 'kubeconfig');
      writeFileSync(path, content);
      return path;
    };

    it('is in-cluster or a file', () => {
      expect(faultsOf({ CLUSTER_KUBECONFIG: 'in-cluster' })).toEqual([]);
      expect(faultsOf({ CLUSTER_KUBECONFIG: fileWith('apiVersion: v1') })).toEqual([]);
    });

    it('is a file for CLUSTER_CONTEXTS, which has no empty name', () => {
      const faults = (CLUSTER_CONTEXTS: string) =>
        faultsOf({ CLUSTER_KUBECONFIG: fileWith('apiVersion: v1'), CLUSTER_CONTEXTS }).length;
      expect(['', 'prod', 'prod, stage', 'prod,,stage', 'prod,'].map(faults)).toEqual([0, 0, 0, 1, 1]);
    });

    it.each<[string, () => string, string]>([
      ['an absent file', () => join(folder, 'absent'), 'cannot be read (ENOENT)'],
      ['a folder', () => folder, 'is no file'],
      ['an empty file', () => fileWith(''), 'is empty'],
    ])('is refused with its path if it is %s', (_, make, reason) => {
      const path = make();
      expect(faultsOf({ CLUSTER_KUBECONFIG: path })).toEqual([
        `CLUSTER_KUBECONFIG must be a kubeconfig file or in-cluster: ${path} ${reason}`,
      ]);
    });
  });
});

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(PlatformConfig, { ...NEEDED, ...environment });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

import { parsePlatformBlock } from '../config/check-config';
import { describeFault } from '../fault';
import type { Dns01Flags } from './dns01';
import {
  type ExposureInput,
  exposureResult,
  hostnameFault,
  planExposure,
  serviceFault,
} from './exposure-plan';
import { exposingPlatform, type PlatformOverrides } from './platform';
import type { KubectlStep } from './record-plan';

const BLOCK = { basedomain: 'example.com', env: 'ops-main-two' };
const DNS01: Dns01Flags = {
  tokenFile: '/run/token',
  brokerUrl: 'https://broker.example.com',
  acmeEmail: 'ops@example.com',
};

interface Case extends Partial<ExposureInput> {
  block?: object;
  overrides?: PlatformOverrides;
}

function planned({ block = {}, overrides = {}, ...input }: Case = {}) {
  const platform = parsePlatformBlock({ platform: { ...BLOCK, ...block } });
  if (platform === undefined) throw new Error('the block has a fault');
  return planExposure({
    name: { tenant: 'acme', environment: 'dev' },
    service: 'api',
    platform: exposingPlatform(platform, overrides),
    platformContext: 'kind-ops',
    kubernetesContext: 'kind-one',
    targetIp: '192.0.2.10',
    servicePort: 80,
    hasAlias: false,
    noTls: false,
    dns01: {},
    ...input,
  });
}

const words = ({ context, namespace, args }: KubectlStep) =>
  [context === undefined ? '' : `--context ${context} `, `--namespace ${namespace} `, args.join(' ')].join(
    '',
  );

describe('Spec: Client, Exposure plan', () => {
  it('Public hostname: <service>.<tenant>-<env>.<servicesZone>', () => {
    expect(planned().hostname).toBe('api.acme-dev.services.example.com');
  });

  it('Backend Service: <tenant>-<service>', () => {
    expect(planned({ service: 'mcp' }).backendService).toBe('acme-mcp');
  });

  it("Per-env wildcard record: *.<tenant>-<env>.<servicesZone>, type A, TTL 60, pointing at the environment's ingress IP", () => {
    const plan = planned();
    expect(plan).toMatchObject({
      recordName: '*.acme-dev',
      wildcardName: '*.acme-dev.services.example.com',
    });
    expect(plan.replaceRecord(plan.targetIp).args.slice(-6)).toEqual([
      'replace-rrset',
      'services.example.com',
      '*.acme-dev',
      'A',
      '60',
      '192.0.2.10',
    ]);
  });

  it('Services zone: platform.serviceszone, defaulting to services.<platform.basedomain>', () => {
    expect(planned().servicesZone).toBe('services.example.com');
    const serviceszone = 'eu.services.example.com';
    expect(planned({ block: { serviceszone } })).toMatchObject({
      servicesZone: serviceszone,
      hostname: 'api.acme-dev.eu.services.example.com',
    });
  });

  it('Ingress: expose-<service> in namespace <tenant>-<env>, labelled managed-by expose, routing the hostname to <tenant>-<service>:<port>', () => {
    const { ingress } = planned({ servicePort: 8080, noTls: true });
    expect(JSON.parse(JSON.stringify(ingress))).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: 'expose-api',
        namespace: 'acme-dev',
        labels: { 'managed-by': 'expose', 'app.kubernetes.io/managed-by': 'expose' },
      },
      spec: {
        ingressClassName: 'traefik',
        rules: [
          {
            host: 'api.acme-dev.services.example.com',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'acme-api', port: { number: 8080 } } },
                },
              ],
            },
          },
        ],
      },
    });
  });

  it('TLS secret: <tenant>-<env>-wildcard-tls', () => {
    const { tlsSecretName, ingress } = planned({ dns01: DNS01 });
    expect(tlsSecretName).toBe('acme-dev-wildcard-tls');
    expect(ingress.spec).toMatchObject({
      tls: [{ hosts: ['api.acme-dev.services.example.com'], secretName: 'acme-dev-wildcard-tls' }],
    });
  });

  it('Result field: tlsEnabled; tlsDisabledReason is set whenever tlsEnabled is false (the value is --no-tls or names the missing DNS-01 broker config)', () => {
    const facts = (input: Case) => {
      const { tlsEnabled, tlsDisabledReason } = exposureResult(planned(input));
      return { tlsEnabled, tlsDisabledReason };
    };
    expect(facts({ dns01: DNS01 })).toEqual({ tlsEnabled: true, tlsDisabledReason: undefined });
    expect(facts({ dns01: DNS01, noTls: true })).toEqual({
      tlsEnabled: false,
      tlsDisabledReason: '--no-tls',
    });
    expect(facts({ dns01: { brokerUrl: DNS01.brokerUrl } })).toEqual({
      tlsEnabled: false,
      tlsDisabledReason: 'missing DNS-01 broker config: --dns01-token-file, --acme-email',
    });
  });

  it.each<[Dns01Flags, string]>([
    [{}, '--dns01-token-file, --dns01-broker-url, --acme-email'],
    [{ tokenFile: 'a' }, '--dns01-broker-url, --acme-email'],
    [{ tokenFile: 'a', acmeEmail: 'a@b' }, '--dns01-broker-url'],
    [{ brokerUrl: 'https://b', acmeEmail: 'a@b' }, '--dns01-token-file'],
    [{ tokenFile: 'a', brokerUrl: 'https://b', acmeServer: 'https://c' }, '--acme-email'],
  ])('tlsDisabledReason names exactly what is missing of %j', (dns01, missing) => {
    expect(planned({ dns01 }).tls).toEqual({
      tlsEnabled: false,
      tlsDisabledReason: `missing DNS-01 broker config: ${missing}`,
    });
  });

  it('the result has the fields of Rule H13 in their order', () => {
    const result = exposureResult(planned({ dns01: DNS01 }));
    expect(JSON.stringify(result)).toBe(
      JSON.stringify({
        tenant: 'acme',
        environment: 'dev',
        service: 'api',
        backendService: 'acme-api',
        namespace: 'acme-dev',
        hostname: 'api.acme-dev.services.example.com',
        servicesZone: 'services.example.com',
        wildcardName: '*.acme-dev.services.example.com',
        targetIp: '192.0.2.10',
        ingressName: 'expose-api',
        servicePort: 80,
        scheme: 'https',
        ingressClassName: 'traefik',
        tlsSecretName: 'acme-dev-wildcard-tls',
        tlsEnabled: true,
        platformNamespace: 'ops-main-two',
        dnsPath: 'direct',
      }),
    );
  });
});

describe('Spec: Client, plat expose', () => {
  it('The DNS write is replace-rrset <zone> <rel-name> A 60 <ip>, run in <platform-tenant>-dns of the platform namespace through the DNS admin tool, with the shared config directory option', () => {
    expect(words(planned().replaceRecord('192.0.2.10'))).toBe(
      '--context kind-ops --namespace ops-main-two exec deploy/ops-dns -- pdnsutil --config-dir=/etc/pdns-shared replace-rrset services.example.com *.acme-dev A 60 192.0.2.10',
    );
    expect(planned({ block: { dnsconfigdir: '/etc/pdns' } }).deleteRecord().args).toContain(
      '--config-dir=/etc/pdns',
    );
  });

  it('platform.env is split at the first hyphen', () => {
    expect(planned({ block: { env: 'ops-main-two' } }).replaceRecord('192.0.2.1')).toMatchObject({
      namespace: 'ops-main-two',
      args: expect.arrayContaining(['deploy/ops-dns']),
    });
  });

  it('If the platform env config is not loadable, the current context is used', () => {
    expect(planned({ platformContext: undefined }).replaceRecord('192.0.2.1').context).toBeUndefined();
  });

  it("The ingress is applied to the target environment's cluster in namespace <tenant>-<env>, with the manifest on stdin", () => {
    expect(words(planned().apply)).toBe('--context kind-one --namespace acme-dev apply --filename -');
  });

  it('The ingress is of class ingressClassName (default traefik)', () => {
    const className = (input: Case) => planned(input).ingress.spec as { ingressClassName: string };
    expect(className({}).ingressClassName).toBe('traefik');
    expect(className({ block: { ingressclassname: 'nginx' } }).ingressClassName).toBe('nginx');
    const overrides = { ingressClass: 'haproxy' };
    expect(className({ block: { ingressclassname: 'nginx' }, overrides }).ingressClassName).toBe('haproxy');
  });

  it('An explicit --services-zone or --platform-namespace override always takes the direct path', () => {
    const overrides = { servicesZone: 'lab.example.org', platformNamespace: 'dns' };
    const block = { serviceszone: 'eu.services.example.com' };
    const plan = planned({ block, overrides, hasAlias: true });
    expect(plan).toMatchObject({
      dnsPath: 'direct',
      dnsPathReason: '--services-zone and --platform-namespace are given',
      servicesZone: 'lab.example.org',
      platformNamespace: 'dns',
      wildcardName: '*.acme-dev.lab.example.org',
    });
    expect(words(plan.replaceRecord('192.0.2.1'))).toContain('--namespace dns exec deploy/ops-dns --');
  });

  it('Otherwise, no platform-type cloud alias configured keeps the direct path', () => {
    expect(planned({ hasAlias: false })).toMatchObject({
      dnsPath: 'direct',
      dnsPathReason: 'no platform alias is configured',
    });
  });

  it('Otherwise, an alias configured lets the platform write the record; the ingress step is unaffected', () => {
    const plan = planned({ hasAlias: true });
    expect(plan).toMatchObject({ dnsPath: 'platform', dnsPathReason: 'a platform alias is configured' });
    expect([plan.ingress, plan.apply]).toEqual([planned().ingress, planned().apply]);
  });

  it('The record is removed by delete-rrset <zone> <rel-name> A. Spec: Client, plat unexpose, rule 1', () => {
    expect(words(planned().deleteRecord())).toBe(
      '--context kind-ops --namespace ops-main-two exec deploy/ops-dns -- pdnsutil --config-dir=/etc/pdns-shared delete-rrset services.example.com *.acme-dev A',
    );
  });
});

describe('Spec: Client, TLS rules', () => {
  it('rule 1: https is the default, only when something will populate that secret', () => {
    const plan = planned({ dns01: DNS01 });
    expect(plan).toMatchObject({ scheme: 'https', url: 'https://api.acme-dev.services.example.com' });
  });

  it('rule 1: Otherwise the result is the same as --no-tls', () => {
    const [without, refused] = [planned({}), planned({ noTls: true, dns01: DNS01 })];
    expect(without.url).toBe('http://api.acme-dev.services.example.com');
    expect(without.ingress).toEqual(refused.ingress);
    expect(exposureResult(without)).toEqual({
      ...exposureResult(refused),
      tlsDisabledReason: expect.stringContaining('--acme-email'),
    });
    for (const plan of [without, refused]) {
      expect(plan).toMatchObject({ scheme: 'http', tlsSecretName: undefined, certificate: undefined });
      expect(JSON.stringify(plan.ingress)).not.toContain('tls');
    }
  });

  it("rule 2: The platform's own environment has its certificate from the edge, so expose provisions none", () => {
    const plan = planned({ name: { tenant: 'ops', environment: 'main-two' } });
    expect(plan).toMatchObject({ scheme: 'https', tlsSecretName: 'ops-main-two-wildcard-tls' });
    expect(plan.certificate).toBeUndefined();
    expect(planned({ name: { tenant: 'ops', environment: 'main-two' }, dns01: DNS01 })).toMatchObject({
      scheme: 'https',
      certificate: undefined,
    });
  });

  it('rule 3: a secret with the per-env broker token', () => {
    expect(planned({ dns01: DNS01 }).certificate?.secret('s3cret')).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: expect.objectContaining({ name: 'acme-dev-dns01-token', namespace: 'acme-dev' }),
      type: 'Opaque',
      data: { token: Buffer.from('s3cret').toString('base64') },
    });
  });

  it('rule 3: a namespaced issuer using the webhook solver named powerdns-broker scoped by selector dnsZones to <tenant>-<env>.<servicesZone>', () => {
    expect(planned({ dns01: DNS01 }).certificate?.issuer).toEqual({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: expect.objectContaining({ name: 'acme-dev-wildcard-issuer', namespace: 'acme-dev' }),
      spec: {
        acme: {
          server: 'https://acme-v02.api.letsencrypt.org/directory',
          email: 'ops@example.com',
          privateKeySecretRef: { name: 'acme-dev-wildcard-issuer-account' },
          solvers: [
            {
              selector: { dnsZones: ['acme-dev.services.example.com'] },
              dns01: {
                webhook: {
                  groupName: 'acme.plat.internal',
                  solverName: 'powerdns-broker',
                  config: {
                    brokerUrl: 'https://broker.example.com',
                    tokenSecretRef: { name: 'acme-dev-dns01-token', key: 'token' },
                  },
                },
              },
            },
          ],
        },
      },
    });
  });

  it('rule 3: a certificate for *.<tenant>-<env>.<servicesZone>, in the secret of the ingress', () => {
    expect(planned({ dns01: DNS01 }).certificate?.certificate).toEqual({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: expect.objectContaining({ name: 'acme-dev-wildcard', namespace: 'acme-dev' }),
      spec: {
        secretName: 'acme-dev-wildcard-tls',
        dnsNames: ['*.acme-dev.services.example.com'],
        issuerRef: { name: 'acme-dev-wildcard-issuer', kind: 'Issuer', group: 'cert-manager.io' },
      },
    });
  });

  it('rule 3: --acme-server and --dns01-webhook-group-name replace the defaults', () => {
    const dns01 = { ...DNS01, acmeServer: 'https://acme.test/dir', webhookGroupName: 'acme.example.com' };
    expect(planned({ dns01 }).certificate?.issuer.spec).toMatchObject({
      acme: {
        server: 'https://acme.test/dir',
        solvers: [{ dns01: { webhook: { groupName: 'acme.example.com' } } }],
      },
    });
  });

  it('rule 4: expose sets no issuer annotation on the ingress', () => {
    for (const input of [{}, { dns01: DNS01 }, { noTls: true }]) {
      expect(planned(input).ingress.metadata).not.toHaveProperty('annotations');
    }
  });

  it('rule 5: nothing of an ingress is about the transport policy of the edge', () => {
    expect(JSON.stringify(planned({ dns01: DNS01 }).ingress)).not.toMatch(/redirect|hsts|Strict-Transport/i);
  });
});

describe('the names of an exposure, Rule H1,', () => {
  const fault = (service: string, tenant = 'acme') => {
    const found = serviceFault(tenant, service);
    return found && describeFault(found);
  };

  it.each(['mcp', 'a', 'a-b', 'x9'])('have the service %s', (service) => {
    expect(fault(service)).toBeUndefined();
  });

  it.each(['1api', 'Api', 'api-', '', 'a.b', 'a_b', '-a', 'api\n'])('have no service %j', (service) => {
    expect(fault(service)).toContain('is no name');
  });

  it('have 63 characters in the service, and in <tenant>-<service>', () => {
    expect(fault('a'.repeat(58))).toBeUndefined();
    expect(fault('a'.repeat(59))).toMatch(/^tenant and service .* have more than 63 characters together$/);
    expect(fault('a'.repeat(64))).toMatch(/^service .* has more than 63 characters$/);
    expect(fault('a'.repeat(100 * 1024))).toMatch(/\(102400 characters\) has more than 63 characters$/);
  });

  it('have 253 characters in the public name', () => {
    const name = { tenant: 'acme', environment: 'dev' };
    const zone = (length: number) => `${`${'a'.repeat(49)}.`.repeat(length)}example`;
    expect(hostnameFault(name, 'api', zone(4))).toBeUndefined();
    expect(hostnameFault(name, 'api', zone(5))).toMatchObject({ why: 'has more than 253 characters' });
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lowestFreeBlock, portBlock } from '@plat/environments';
import { workspaceRoot } from '@plat/local';
import { field, manifestsOf, readPattern, readPatterns } from './pattern';

const PATTERNS = readPatterns();
const README = readFileSync(join(workspaceRoot(), 'deploy/patterns/README.md'), 'utf8');
const NAME = /<[\w]+(?:>-<\w+)?>/g;

describe.each(PATTERNS.map((pattern) => [pattern.file, pattern] as const))('%s', (file, pattern) => {
  it('has one line at its top that applies it', () => {
    const applying = pattern.commands.filter((command) => / (apply|patch) /.test(command));
    expect(applying).toEqual([pattern.commands[0]]);
    expect(applying[0]).toContain(`deploy/patterns/${file}`);
    expect(pattern.text.indexOf(applying[0] ?? '')).toBeLessThan(pattern.text.indexOf('\napiVersion:'));
  });

  it('has its names in that line, each used, and none is left after it', () => {
    const body = pattern.text.replace(/^#.*\n/gm, '').replace(/^ *#.*\n/gm, '');
    const replaced = [...(pattern.commands[0] ?? '').matchAll(/s\/([^/]+)\/[^/]+\/g/g)].map(
      ([, name]) => name,
    );
    expect(replaced.sort()).toEqual([...new Set(body.match(NAME) ?? [])].sort());
    expect(JSON.stringify(manifestsOf(pattern))).not.toMatch(/[<>]/);
  });

  it('is in the README', () => {
    expect(README).toContain(`[${file}](${file})`);
  });

  it('has its names explained in the README', () => {
    for (const name of pattern.text.match(NAME) ?? []) expect(README).toContain(`\`${name}\``);
  });
});

it('the README has at most 40 lines and names no file that is not there', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const named = [...README.matchAll(/\]\(([\w.-]+\.yaml)\)/g)].map(([, file]) => file);
  expect(named.sort()).toEqual(PATTERNS.map(({ file }) => file).sort());
});

it('The cluster admin or other systems own: ingress controller installation, DNS records, certificate issuance, and service-mesh sidecars', () => {
  const kinds = new Set(PATTERNS.flatMap((pattern) => manifestsOf(pattern).map(({ kind }) => kind)));
  expect([...kinds].sort()).toEqual([
    'Deployment',
    'Gateway',
    'HTTPRoute',
    'Ingress',
    'NetworkPolicy',
    'Service',
  ]);
  const [deployment] = manifestsOf(readPattern('host-port.yaml'));
  expect(field(deployment, 'spec', 'template', 'spec', 'containers')).toHaveLength(1);
});

const [deployment] = manifestsOf(readPattern('host-port.yaml'));
const hostPort = readPattern('host-port.yaml');
const ports = ['spec', 'template', 'spec', 'containers', 0, 'ports'];

describe('2. Host port. Spec: Client, Port-forward patterns, pattern 2', () => {
  it('Set hostPort on the container port', () => {
    expect(field(deployment, ...ports)).toEqual([{ containerPort: 8080, hostPort: 17_180, protocol: 'TCP' }]);
  });

  it("The per-env allocator reserves non-overlapping ranges: the port is in the environment's block, and no channel has it. Rule H5", () => {
    const first = portBlock(lowestFreeBlock([])!);
    const second = portBlock(lowestFreeBlock([first.start])!);
    const port = field(deployment, ...ports, 0, 'hostPort') as number;
    expect(port).toBeGreaterThanOrEqual(second.start);
    expect(port).toBeLessThanOrEqual(second.end);
    expect(port).toBeGreaterThan(first.end);
    expect([second.mcp, second.sshd, second.api]).not.toContain(port);
    expect(hostPort.text).toContain('localPortRangeStart to +99');
    for (const channel of [second.mcp, second.sshd, second.api]) {
      expect(hostPort.text).toMatch(new RegExp(`\\+${channel - second.start}\\b`));
    }
  });

  it('Not portable to cloud, local clusters only: the file says so', () => {
    expect(hostPort.text).toMatch(/local clusters only: it does not carry over to a cloud/);
  });
});

const HOST = 'web.acme-dev.eu.example.com';

describe('3. Ingress per environment. Spec: Client, Port-forward patterns, pattern 3', () => {
  const [ingress] = manifestsOf(readPattern('ingress.yaml'));
  const backend = { service: { name: 'web', port: { number: 8080 } } };

  it('An Ingress with host <service>.<tenant>-<env>.<environment>.<domain>, path / (Prefix) to the Service on <port>', () => {
    const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] };
    expect(field(ingress, 'spec', 'rules')).toEqual([{ host: HOST, http }]);
  });

  it('with a tls block whose secretName is <service>-tls', () => {
    expect(field(ingress, 'spec', 'tls')).toEqual([{ hosts: [HOST], secretName: 'web-tls' }]);
  });

  it('has no issuer annotation: the certificate is issued elsewhere. Spec: Client, TLS rules, rule 4', () => {
    expect(Object.keys(ingress!.metadata)).toEqual(['name']);
  });

  it('It needs a cluster-wide ingress controller, a wildcard DNS record and a wildcard certificate: the file says so', () => {
    const { text } = readPattern('ingress.yaml');
    for (const needed of [
      'controller',
      '*.<environment>.<domain>',
      'wildcard certificate',
      '<service>-tls',
    ]) {
      expect(text.slice(0, text.indexOf('# sed'))).toContain(needed);
    }
  });

  it('The variant by the Gateway API has the same host, path, backend, class and secret', () => {
    const [gateway, route] = manifestsOf(readPattern('ingress.gateway.yaml'));
    const listener = field(gateway, 'spec', 'listeners', 0);
    expect(listener).toMatchObject({ hostname: HOST, port: 443, protocol: 'HTTPS' });
    expect(listener).toMatchObject({ tls: { mode: 'Terminate', certificateRefs: [{ name: 'web-tls' }] } });
    expect(field(gateway, 'spec', 'gatewayClassName')).toBe(field(ingress, 'spec', 'ingressClassName'));
    expect(field(route, 'spec')).toEqual({
      parentRefs: [{ name: gateway?.metadata.name, sectionName: 'https' }],
      hostnames: [HOST],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          backendRefs: [{ name: 'web', port: 8080 }],
        },
      ],
    });
  });
});

describe('4. LoadBalancer per environment. Spec: Client, Port-forward patterns, pattern 4', () => {
  it('A Service of type LoadBalancer, port 443 to targetPort <port>', () => {
    const [service] = manifestsOf(readPattern('load-balancer.yaml'));
    expect(service).toMatchObject({ kind: 'Service', spec: { type: 'LoadBalancer' } });
    expect(field(service, 'spec', 'ports')).toEqual([
      { name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' },
    ]);
  });

  it('One cloud load balancer per environment: the file says so', () => {
    expect(readPattern('load-balancer.yaml').text).toContain('for this environment alone');
  });
});

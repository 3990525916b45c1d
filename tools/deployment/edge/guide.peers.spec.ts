/**
 * @peers kubernetes kubectl cert-manager gateway-api
 * @paths docs/exposure.md deploy/edge tools/deployment libs/testing/src/kubernetes
 */
import { dirname, join } from 'node:path';
import { peer } from '@plat/testing';
import { readPattern } from '../patterns/pattern';
import { ShellCluster } from '../shell-cluster';
import { readGuide } from './guide';

const certManager = () => dirname(peer('cert-manager.io_issuers.yaml'));
const LOOKS = readGuide().looks.filter((line) => line.startsWith('kubectl') && !line.includes(' exec '));

let cluster: ShellCluster;

beforeAll(async () => {
  cluster = await ShellCluster.start({
    definitions: [
      peer('cert-manager.io_certificates.yaml'),
      peer('cert-manager.io_issuers.yaml'),
      join(certManager(), 'acme.cert-manager.io_challenges.yaml'),
      peer('gateway.networking.k8s.io_gateways.yaml'),
      peer('gateway.networking.k8s.io_httproutes.yaml'),
    ],
    namespaces: ['acme-dev', 'acme-test', 'traefik'],
  });
}, 120_000);
afterAll(() => cluster.stop());

const port = { ports: [{ port: 80 }] };
const named = (apiVersion: string, kind: string, name: string, rest: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name },
  ...rest,
});
const ISSUER = 'acme-dev-wildcard-issuer';
/** The objects that `plat expose` and the component's chart leave there. Rule H13. */
const EXPOSED = [
  named('networking.k8s.io/v1', 'Ingress', 'expose-web', {
    spec: { defaultBackend: { service: { name: 'acme-web', port: { number: 80 } } } },
  }),
  named('networking.k8s.io/v1', 'IngressClass', 'traefik', {
    spec: { controller: 'traefik.io/ingress-controller' },
  }),
  named('v1', 'Service', 'acme-web', { spec: port }),
  named('v1', 'Secret', 'acme-dev-wildcard-tls'),
  named('cert-manager.io/v1', 'Issuer', ISSUER, {
    spec: { acme: { server: 'https://acme.example.com', privateKeySecretRef: { name: 'account' } } },
  }),
  named('cert-manager.io/v1', 'Certificate', 'acme-dev-wildcard', {
    spec: { secretName: 'acme-dev-wildcard-tls', dnsNames: ['*.example.com'], issuerRef: { name: ISSUER } },
  }),
];

describe('each look of the guide', () => {
  it('finds nothing where nothing was exposed, and asks for no resource that Kubernetes does not know', async () => {
    for (const line of LOOKS) {
      const { stdout, stderr } = await cluster.type(line);
      expect({ line, stdout }).toEqual({ line, stdout: '' });
      expect(stderr).toMatch(/not found|No resources found/);
    }
  });

  it('finds what expose, the charts and the patterns leave there', async () => {
    for (const object of EXPOSED) await cluster.apply('acme-dev', object);
    await cluster.apply(
      'traefik',
      named('v1', 'Service', 'traefik', { spec: { ...port, type: 'LoadBalancer' } }),
    );
    for (const file of ['default-deny-cross-ns.yaml', 'allow-shared-service.yaml', 'ingress.gateway.yaml']) {
      for (const command of readPattern(file).commands) await cluster.done(command);
    }
    const found = await Promise.all(LOOKS.map(async (line) => ({ line, ...(await cluster.type(line)) })));
    expect(found.filter(({ code }) => code !== 0)).toEqual([]);
    const empty = found.filter(({ stdout }) => stdout === '').map(({ line }) => line);
    // Only controllers make these objects.
    expect(empty).toEqual([
      'kubectl --namespace acme-dev get endpointslices --selector kubernetes.io/service-name=acme-web',
      'kubectl --namespace acme-dev describe challenges',
    ]);
  });

  it("shows a Gateway's state in the column that the guide names", async () => {
    const columns = await cluster.done('kubectl --namespace acme-dev get gateway web');
    expect(columns).toContain('PROGRAMMED');
    expect(await cluster.done('kubectl --namespace traefik get service traefik')).toContain('EXTERNAL-IP');
  });
});

import type { Dns01 } from './dns01';

/** Solver of the broker's webhook. Spec: Client, TLS rules, rule 3. */
const SOLVER = 'powerdns-broker';
/** Key of the broker token in its secret. Rule H13. */
const TOKEN_KEY = 'token';
/** Labels with the contract's own key and with the one that Kubernetes recommends. Spec: Client, Exposure plan. */
const LABELS = { 'managed-by': 'expose', 'app.kubernetes.io/managed-by': 'expose' };

/** A Kubernetes object as plain data: kubectl takes it as JSON. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string; labels: Readonly<Record<string, string>> };
  [field: string]: unknown;
}

/** The names that the objects of an exposure have. */
export interface ManifestNames {
  namespace: string;
  wildcardName: string;
  tlsSecretName: string;
}

/** The route of the ingress, from a host name to a port of a Service. */
export interface Routing extends ManifestNames {
  ingressName: string;
  ingressClassName: string;
  hostname: string;
  backendService: string;
  servicePort: number;
  tlsEnabled: boolean;
}

/**
 * Routes the public name to the service, with a tls block if something fills its secret. It has no annotation: an issuer
 * is none of its concerns. Spec: Client, TLS rules, rules 1 and 4.
 */
export function ingressManifest(routing: Routing): Manifest {
  const { namespace, ingressName, ingressClassName, hostname, tlsEnabled, tlsSecretName } = routing;
  const service = { name: routing.backendService, port: { number: routing.servicePort } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: ingressName, namespace, labels: LABELS },
    spec: {
      ingressClassName,
      tls: tlsEnabled ? [{ hosts: [hostname], secretName: tlsSecretName }] : undefined,
      rules: [{ host: hostname, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service } }] } }],
    },
  };
}

/** The objects that give an environment its certificate, in the order in which they are applied. Rule H13. */
export interface CertificateManifests {
  secretName: string;
  /** Only this one holds the token. */
  secret(token: string): Manifest;
  issuer: Manifest;
  certificate: Manifest;
}

/**
 * The objects of the certificate: the issuer is one of the namespace, and its solver is confined to the environment's
 * zone. Spec: Client, TLS rules, rule 3.
 */
export function certificateManifests(
  { namespace, wildcardName, tlsSecretName }: ManifestNames,
  dns01: Dns01,
): CertificateManifests {
  const secretName = `${namespace}-dns01-token`;
  const issuerName = `${namespace}-wildcard-issuer`;
  const named = (name: string) => ({ name, namespace, labels: LABELS });
  return {
    secretName,
    secret: (token) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: named(secretName),
      type: 'Opaque',
      data: { [TOKEN_KEY]: Buffer.from(token).toString('base64') },
    }),
    issuer: {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: named(issuerName),
      spec: {
        acme: {
          server: dns01.acmeServer,
          email: dns01.acmeEmail,
          privateKeySecretRef: { name: `${issuerName}-account` },
          solvers: [
            {
              selector: { dnsZones: [wildcardName.replace('*.', '')] },
              dns01: { webhook: webhookOf(dns01, secretName) },
            },
          ],
        },
      },
    },
    certificate: {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: named(`${namespace}-wildcard`),
      spec: {
        secretName: tlsSecretName,
        dnsNames: [wildcardName],
        issuerRef: { name: issuerName, kind: 'Issuer', group: 'cert-manager.io' },
      },
    },
  };
}

/** The form in which cert-manager calls a webhook solver; `config` is the broker's own. Rule H13. */
function webhookOf({ webhookGroupName, brokerUrl }: Dns01, secretName: string) {
  return {
    groupName: webhookGroupName,
    solverName: SOLVER,
    config: { brokerUrl, tokenSecretRef: { name: secretName, key: TOKEN_KEY } },
  };
}

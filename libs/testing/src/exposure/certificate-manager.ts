import { Agent } from 'node:https';
import type { KubernetesRequests } from '../kubernetes/kubernetes-requests';

/** The fields of cert-manager's Certificate that the double reads. */
interface Certificate {
  spec: { secretName: string; dnsNames: string[]; issuerRef: { name: string; kind?: string } };
}

/** A solver of an Issuer that has its challenges written by a webhook. */
interface Solver {
  selector?: { dnsZones?: string[] };
  dns01?: {
    webhook?: { solverName: string; groupName: string; config: BrokerConfig };
  };
}

/** The configuration of the broker's webhook. */
interface BrokerConfig {
  brokerUrl: string;
  tokenSecretRef: { name: string; key: string };
}

interface Issuer {
  spec: { acme: { server: string; email: string; solvers: Solver[] } };
}

interface Secret {
  data: Record<string, string>;
}

export interface ManagedCertificate {
  namespace: string;
  /** The name of the Certificate. */
  name: string;
  /** PEM: the roots by which the ACME server is verified. */
  trust: string;
}

/** The webhook's only solver. */
const SOLVER_NAME = 'powerdns-broker';
const BACKOFF = { backoffAttempts: 60, backoffMin: 200, backoffMax: 1000 };

/**
 * Does once what cert-manager and its webhook do for a Certificate: orders it at the Issuer's ACME server, has the
 * broker write the challenges, and stores key and chain in the Secret. Everything is read from the API server.
 *
 * @throws Error if an object is missing, the Issuer has no solver for a name, the broker refuses, or the order fails
 */
export async function issueCertificate(
  requests: KubernetesRequests,
  { namespace, name, trust }: ManagedCertificate,
): Promise<void> {
  const get = <T>(path: string) => requests.send<T>({ method: 'GET', path });
  const resources = `/apis/cert-manager.io/v1/namespaces/${namespace}`;
  const { spec } = await get<Certificate>(`${resources}/certificates/${name}`);
  const issuer = await get<Issuer>(`${resources}/issuers/${spec.issuerRef.name}`);
  const { server, email, solvers } = issuer.spec.acme;
  // Loaded here because most tests need none of it.
  const acme = await import('acme-client');
  // The client takes no such option.
  acme.axios.defaults.httpsAgent = new Agent({ ca: trust });
  const accountKey = await acme.crypto.createPrivateKey();
  const client = new acme.Client({ directoryUrl: server, accountKey, ...BACKOFF });
  const [key, csr] = await acme.crypto.createCsr({ altNames: spec.dnsNames });
  const write = async (method: 'PUT' | 'DELETE', domain: string, value?: string) => {
    const { brokerUrl, tokenSecretRef } = brokerOf(solvers, domain);
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    const { data } = await get<Secret>(`${secrets}/${tokenSecretRef.name}`);
    const token = Buffer.from(data[tokenSecretRef.key] ?? '', 'base64').toString();
    const response = await fetch(`${brokerUrl}/challenges/_acme-challenge.${domain}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ value }),
    });
    if (!response.ok) throw new Error(`The broker answered ${response.status} for ${domain}.`);
  };
  const chain = await client.auto({
    csr,
    email,
    termsOfServiceAgreed: true,
    // The client would ask the name servers of this machine first.
    skipChallengeVerification: true,
    challengePriority: ['dns-01'],
    challengeCreateFn: ({ identifier }, _, value) => write('PUT', identifier.value, value),
    challengeRemoveFn: ({ identifier }) => write('DELETE', identifier.value),
  });
  await storeKeyPair(requests, { namespace, name: spec.secretName, key: key.toString(), chain });
}

/** The solver whose zone the name lies in. */
function brokerOf(solvers: readonly Solver[], domain: string): BrokerConfig {
  const isIn = (zone: string) => domain === zone || domain.endsWith(`.${zone}`);
  const solver = solvers.find(({ selector }) => selector?.dnsZones?.some(isIn) ?? true);
  const webhook = solver?.dns01?.webhook;
  if (webhook?.solverName !== SOLVER_NAME) throw new Error(`No solver of the issuer is for ${domain}.`);
  return webhook.config;
}

interface KeyPair {
  namespace: string;
  name: string;
  key: string;
  chain: string;
}

async function storeKeyPair(requests: KubernetesRequests, pair: KeyPair): Promise<void> {
  const { namespace, name, key, chain } = pair;
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  const stringData = { 'tls.key': key, 'tls.crt': chain };
  const body = { metadata: { name }, type: 'kubernetes.io/tls', stringData };
  await requests.send({ method: 'POST', path, body });
}

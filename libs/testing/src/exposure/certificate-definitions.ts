import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import type { KubernetesRequests } from '../kubernetes/kubernetes-requests';
import { peer } from '../peers/peer';

const FILES = ['cert-manager.io_certificates.yaml', 'cert-manager.io_issuers.yaml'] as const;
const GAP_MS = 100;

interface Condition {
  type: string;
  status: string;
}

/** Has the API server know cert-manager's Issuers and Certificates, and waits until it does. */
export async function installCertificateDefinitions(requests: KubernetesRequests): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const file of FILES) {
    const body = parse(await readFile(peer(file), 'utf8')) as { metadata: { name: string } };
    await requests.send({ method: 'POST', path, body });
    while (!(await isEstablished(requests, `${path}/${body.metadata.name}`))) await delay(GAP_MS);
  }
}

async function isEstablished(requests: KubernetesRequests, path: string): Promise<boolean> {
  const { status } = await requests.send<{ status?: { conditions?: Condition[] } }>({ method: 'GET', path });
  return !!status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
}

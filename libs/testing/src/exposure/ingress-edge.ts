import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubernetesRequests } from '../kubernetes/kubernetes-requests';
import { findFreePort } from '../peers/free-port';
import { Nginx } from '../peers/nginx';

/** The fields of an Ingress that the edge reads. */
interface Ingress {
  metadata: { name: string; namespace: string };
  spec: {
    ingressClassName: string;
    tls?: Array<{ hosts: string[]; secretName: string }>;
    rules: Array<{ host: string; http: { paths: IngressPath[] } }>;
  };
}

interface IngressPath {
  path: string;
  backend: { service: { name: string; port: { number: number } } };
}

/** nginx in the place of an ingress controller, on ports of 127.0.0.1. */
export interface IngressEdge {
  httpPort: number;
  httpsPort: number;
  stop(): Promise<void>;
}

export interface IngressEdgeOptions {
  namespace: string;
  ingressClass: string;
  /** Base addresses on this machine, by `<Service>:<port>`: the edge is in no network of a cluster. */
  backends: Record<string, string>;
}

/**
 * Serves the Ingresses of a namespace as they are now, with the key pairs of their Secrets. A host without a tls block
 * is served by plain http alone, one with it by both; every other host gets 404, and no TLS handshake.
 *
 * @throws RequestRefused if a Secret is missing
 */
export async function startIngressEdge(
  requests: KubernetesRequests,
  options: IngressEdgeOptions,
): Promise<IngressEdge> {
  const nginx = await Nginx.make();
  const { folder } = nginx;
  const ports = { http: await findFreePort(), https: await findFreePort() };
  const path = `/apis/networking.k8s.io/v1/namespaces/${options.namespace}/ingresses`;
  const { items } = await requests.send<{ items: Ingress[] }>({ method: 'GET', path });
  const servers: string[] = [];
  for (const ingress of items.filter(({ spec }) => spec.ingressClassName === options.ingressClass)) {
    for (const { secretName } of ingress.spec.tls ?? []) {
      await writeKeyPair(requests, { folder, namespace: options.namespace, secretName });
    }
    servers.push(...serversOf(ingress, { folder, ports, backends: options.backends }));
  }
  const stop = await nginx.start([
    `server { listen 127.0.0.1:${ports.http} default_server; return 404; }`,
    `server { listen 127.0.0.1:${ports.https} ssl default_server; ssl_reject_handshake on; }`,
    ...servers,
  ]);
  return { httpPort: ports.http, httpsPort: ports.https, stop };
}

async function writeKeyPair(
  requests: KubernetesRequests,
  { folder, namespace, secretName }: { folder: string; namespace: string; secretName: string },
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/secrets/${secretName}`;
  const { data } = await requests.send<{ data: Record<string, string> }>({ method: 'GET', path });
  for (const part of ['tls.crt', 'tls.key']) {
    const text = Buffer.from(data[part] ?? '', 'base64');
    await writeFile(join(folder, `${secretName}.${part}`), text, { mode: 0o600 });
  }
}

interface Place {
  folder: string;
  ports: { http: number; https: number };
  backends: Record<string, string>;
}

function serversOf({ spec }: Ingress, { folder, ports, backends }: Place): string[] {
  return spec.rules.map(({ host, http }) => {
    const locations = http.paths.map(({ path, backend: { service } }) => {
      const url = backends[`${service.name}:${service.port.number}`];
      return `location ${path} { ${url ? `proxy_pass ${url}; proxy_set_header Host $host;` : 'return 503;'} }`;
    });
    const secretName = spec.tls?.find(({ hosts }) => hosts.includes(host))?.secretName;
    const tls = secretName && [
      `listen 127.0.0.1:${ports.https} ssl;`,
      `ssl_certificate ${folder}/${secretName}.tls.crt;`,
      `ssl_certificate_key ${folder}/${secretName}.tls.key;`,
    ];
    const lines = [`listen 127.0.0.1:${ports.http};`, ...(tls || []), `server_name ${host};`, ...locations];
    return `server { ${lines.join(' ')} }`;
  });
}

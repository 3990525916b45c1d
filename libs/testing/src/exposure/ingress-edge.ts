import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesRequests } from '../kubernetes/kubernetes-requests';
import { findFreePort } from '../peers/free-port';
import { peer } from '../peers/peer';
import { startServerProcess } from '../peers/server-process';

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
  const folder = await mkdtemp(join(tmpdir(), 'plat-ingress-'));
  // nginx's workers store large bodies in the folder. They run as `nobody` if this process is root.
  await chmod(folder, 0o755);
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
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configurationOf({ folder, ports, servers }));
  const server = await startServerProcess({
    program: peer('nginx'),
    args: ['-e', 'stderr', '-p', folder, '-c', file],
    ready: /start worker process /,
  });
  return {
    httpPort: ports.http,
    httpsPort: ports.https,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
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

function configurationOf({
  folder,
  ports,
  servers,
}: Omit<Place, 'backends'> & { servers: readonly string[] }): string {
  const spools = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events { }
http {
  access_log off;
  ${spools.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server { listen 127.0.0.1:${ports.http} default_server; return 404; }
  server { listen 127.0.0.1:${ports.https} ssl default_server; ssl_reject_handshake on; }
  ${servers.join('\n  ')}
}
`;
}

import { request } from 'node:https';

/** The part of a kubeconfig's text that the requests need; `kubeconfigOf` writes it as JSON. */
interface Kubeconfig {
  clusters: Array<{ cluster: { server: string; 'certificate-authority-data'?: string } }>;
  users: Array<{ user: { token: string } }>;
}

interface Sent {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path from `/api` or `/apis` on. */
  path: string;
  body?: object;
}

/** The API server answered with a status of 400 or more. */
export class RequestRefused extends Error {
  constructor(
    { method, path }: Sent,
    readonly status: number,
    text: string,
  ) {
    super(`${method} ${path}: ${status} ${text}`);
  }
}

/** Requests to a Kubernetes API, as a test makes them: JSON both ways; a PATCH is a merge patch. */
export class KubernetesRequests {
  private readonly url: string;
  private readonly ca: Buffer;
  private readonly token: string;

  /** @param kubeconfig as `KubernetesPeer.kubeconfig` returns it */
  constructor(kubeconfig: string) {
    const { clusters, users } = JSON.parse(kubeconfig) as Kubeconfig;
    this.url = clusters[0]!.cluster.server;
    this.ca = Buffer.from(clusters[0]!.cluster['certificate-authority-data'] ?? '', 'base64');
    this.token = users[0]!.user.token;
  }

  /** @throws RequestRefused; the system's error if there is no answer */
  send<T>(sent: Sent): Promise<T> {
    const { method, path, body } = sent;
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': type };
    return new Promise((resolve, reject) => {
      const asked = request(`${this.url}${path}`, { method, headers, ca: this.ca, agent: false });
      asked.once('error', reject);
      asked.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode = 0 } = response;
          if (statusCode >= 400) reject(new RequestRefused(sent, statusCode, text));
          else resolve(JSON.parse(text) as T);
        });
      });
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

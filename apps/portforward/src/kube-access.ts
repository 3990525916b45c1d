import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { Agent, type RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { readAnswer } from './api-request';
import { ClusterError } from './cluster-error';
import { kubeconfigFiles } from './config';

/** Most characters of an answer that is no Status. */
const REASON_LENGTH_MAX = 200;

/** How to reach the API server now: its address, and what the kubeconfig's user presents. */
export interface ApiServer {
  /** Without a slash at the end. */
  url: string;
  options: RequestOptions;
  /** Whether the connection is TLS to the API server itself, without a proxy between. */
  isDirect: boolean;
}

/**
 * The access of the kubeconfig's user to one cluster. The kubeconfig is read when one of its files changes and when the
 * API server refuses its credentials, so that rotated tokens, plugins and another cluster count at once.
 */
export class KubeAccess {
  private loaded: { version: string; config: KubeConfig } | undefined;
  /** Keeps connections to the API server, so that not each request begins with a TLS handshake. */
  private readonly agent = new Agent({ keepAlive: true });

  /** @param context of the kubeconfig; undefined: the current one */
  constructor(
    private readonly context: string | undefined,
    private readonly files = kubeconfigFiles(),
  ) {}

  /** Forgets the credentials that the API server has refused. */
  forget(): void {
    this.loaded = undefined;
  }

  close(): void {
    this.agent.destroy();
  }

  /** @throws ClusterError for a kubeconfig that cannot be used, and for a plugin that fails */
  async apiServer(): Promise<ApiServer> {
    const config = await this.config();
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new ClusterError(`The kubeconfig has no cluster for ${this.shownContext()}.`);
    const options: RequestOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      throw new ClusterError(`The credentials of ${this.shownContext()} cannot be read: ${messageOf(error)}`);
    }
    const isDirect = cluster.server.startsWith('https:') && !hasProxy(cluster);
    if (isDirect) options.agent = this.agent;
    return { url: cluster.server.replace(/\/+$/, ''), options, isDirect };
  }

  /**
   * Reads a resource. An answer of 401 is asked once more with credentials that are read again.
   *
   * @param path with its query
   * @throws ClusterError with the status of any other answer than 200
   */
  async get<Resource>(path: string): Promise<Resource> {
    try {
      return await this.getOnce(path);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.status !== 401) throw error;
      this.forget();
      return this.getOnce(path);
    }
  }

  private async getOnce<Resource>(path: string): Promise<Resource> {
    const server = await this.apiServer();
    const { status, text } = await readAnswer(new URL(server.url + path), server.options);
    if (status === 200) return JSON.parse(text) as Resource;
    throw new ClusterError(`${path.split('?')[0]}: ${status} ${reasonOf(text)}`, status);
  }

  private async config(): Promise<KubeConfig> {
    const version = await versionOf(this.files);
    if (this.loaded?.version === version) return this.loaded.config;
    const config = new KubeConfig();
    try {
      config.loadFromDefault();
    } catch (error) {
      throw new ClusterError(`The kubeconfig cannot be read: ${messageOf(error)}`);
    }
    if (this.context !== undefined) config.setCurrentContext(this.context);
    if (!config.getContextObject(config.getCurrentContext())) {
      throw new ClusterError(`The kubeconfig has no ${this.shownContext()}.`);
    }
    this.loaded = { version, config };
    return config;
  }

  private shownContext(): string {
    return this.context === undefined ? 'current context' : `context ${this.context}`;
  }
}

/** Changes with the files, without reading them. */
async function versionOf(files: readonly string[]): Promise<string> {
  const states = await Promise.all(
    files.map((path) =>
      stat(path, { bigint: true }).then(
        ({ mtimeNs, ino, size }) => [mtimeNs, ino, size].join(),
        () => '',
      ),
    ),
  );
  return createHash('sha256').update(states.join('\n')).digest('hex');
}

interface ProxiedCluster {
  proxyUrl?: string | undefined;
}

/** By the kubeconfig alone: the client library does not read a proxy from the variables. */
const hasProxy = (cluster: ProxiedCluster): boolean => Boolean(cluster.proxyUrl);

/** The message of the API server's Status, or the beginning of another answer. */
function reasonOf(text: string): string {
  try {
    return (JSON.parse(text) as { message: string }).message;
  } catch {
    return text.slice(0, REASON_LENGTH_MAX);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

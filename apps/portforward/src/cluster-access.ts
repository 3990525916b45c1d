import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent, type AgentOptions, type RequestOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { abortable } from './abortable';
import { CredentialsMissing } from './failures';
import { readKubeconfig } from './kubeconfig';

/** The server, headers and agents of requests to the API server. */
export interface Access {
  /** The server's address; it may end with a path. */
  server: string;
  headers: Record<string, string>;
  agents: Agents;
  /** TLS that ends at the API server itself: no proxy between sees a frame. */
  isDirectTls: boolean;
}

/** `pooled` keeps connections for the next request; `fresh` opens one for each. */
export interface Agents {
  pooled: PlainAgent;
  fresh: PlainAgent;
}

/** How long credentials are used before the kubeconfig's provider is asked again; a 401 asks at once. */
const CREDENTIALS_MS = 60_000;
/** An unused connection is closed after this time: a sleep or a change of network has then rarely ended it unseen. */
const UNUSED_MS = 15_000;
const UNUSED_CONNECTIONS = 8;
/** Requests at a time; the others wait. A forwarded connection counts until its pod is dialed. */
const MOST_REQUESTS = 64;
/** The kernel asks a silent peer whether it is there after this time. */
const TCP_KEEP_ALIVE_MS = 20_000;

/** The way to a cluster, by a kubeconfig that may change at any time. */
export class ClusterAccess {
  private config: { read: KubeConfig; stamp: string } | undefined;
  private held: { access: Access; stamp: string; until: number } | undefined;
  private pending: Promise<Access> | undefined;
  private agents: { key: string; agents: Agents } | undefined;
  private readonly paths: readonly string[];
  private readonly context?: string;

  constructor({ paths, context }: { paths: readonly string[]; context?: string }) {
    this.paths = paths;
    this.context = context;
  }

  /**
   * The access of this moment: the kubeconfig is read again if a file of it has changed.
   *
   * @throws KubeconfigUnreadable
   * @throws CredentialsMissing
   */
  async current(signal: AbortSignal): Promise<Access> {
    const pending = (this.pending ??= this.load().finally(() => {
      if (this.pending === pending) this.pending = undefined;
    }));
    // A plugin that hangs delays the connections of this moment; those that come later ask again.
    const forget = () => {
      if (this.pending === pending) this.pending = undefined;
    };
    return abortable(pending, signal, forget);
  }

  /** Forgets an access that the server has refused with 401. */
  renew(refused: Access): void {
    if (this.held?.access !== refused) return;
    this.held = undefined;
    this.config = undefined;
  }

  /** Ends the connections that no request uses. */
  close(): void {
    this.agents?.agents.pooled.destroy();
    this.agents?.agents.fresh.destroy();
  }

  private async load(): Promise<Access> {
    const stamp = this.paths.map(stampOf).join();
    const { held } = this;
    if (held && held.stamp === stamp && performance.now() < held.until) return held.access;
    if (this.config?.stamp !== stamp) {
      this.config = { read: await readKubeconfig(this.paths, this.context), stamp };
    }
    const access = await this.authenticate(this.config.read);
    this.held = { access, stamp, until: performance.now() + CREDENTIALS_MS };
    return access;
  }

  private async authenticate(config: KubeConfig): Promise<Access> {
    const options: RequestOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      throw new CredentialsMissing(whyWithout(config, error));
    }
    const cluster = config.getCurrentCluster();
    const server = cluster?.server ?? '';
    const headers = { ...options.headers } as Record<string, string>;
    if (options.auth) headers.Authorization = `Basic ${Buffer.from(options.auth).toString('base64')}`;
    const isDirectTls = server.startsWith('https:') && !cluster?.proxyUrl;
    return { server, headers, agents: this.agentsOf(config, options), isDirectTls };
  }

  /** The agents of before if the server and its trust are the same, so that no TLS handshake is repeated. */
  private agentsOf(config: KubeConfig, options: RequestOptions): Agents {
    const { server, proxyUrl } = config.getCurrentCluster() ?? {};
    const { ca, cert, key, rejectUnauthorized, servername } = options;
    const tls: AgentOptions = { ca, cert, key, rejectUnauthorized, servername };
    const digest = createHash('sha256')
      .update(JSON.stringify([server, proxyUrl, tls]))
      .digest('hex');
    if (this.agents?.key !== digest) {
      const agents = proxyUrl ? proxyAgents(options) : directAgents(server ?? '', tls);
      this.agents = { key: digest, agents };
    }
    return this.agents.agents;
  }
}

/** The library makes an agent for the proxy. It opens a connection for each request. */
function proxyAgents({ agent }: RequestOptions): Agents {
  return { pooled: agent as PlainAgent, fresh: agent as PlainAgent };
}

function directAgents(server: string, { ca, cert, key, ...tls }: AgentOptions): Agents {
  const isTls = server.startsWith('https:');
  const Agent = isTls ? TlsAgent : PlainAgent;
  // Made once: it takes a megabyte and more time than the rest of a handshake.
  const secureContext = isTls ? createSecureContext({ ca, cert, key }) : undefined;
  const common = { ...tls, secureContext };
  const kept = {
    keepAlive: true,
    keepAliveMsecs: TCP_KEEP_ALIVE_MS,
    timeout: UNUSED_MS,
    maxFreeSockets: UNUSED_CONNECTIONS,
    maxSockets: MOST_REQUESTS,
  };
  return { pooled: new Agent({ ...common, ...kept }), fresh: new Agent(common) };
}

/** Changes if the file is written, replaced or removed. */
/** At once: a turn through the pool of threads would take longer, for each connection. */
function stampOf(path: string): string {
  const found = statOf(path);
  return found ? `${found.ino}:${found.mtimeMs}:${found.size}` : '';
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Why there are no credentials. What a plugin or an issuer has printed may hold a secret, and is left out. */
function whyWithout(config: KubeConfig, error: unknown): string {
  const { code, path } = error as NodeJS.ErrnoException;
  const exec = config.getCurrentUser()?.exec as { command?: string } | undefined;
  if (exec) {
    const isMissing = code === 'ENOENT';
    return `The kubeconfig's credential plugin ${exec.command} ${isMissing ? 'is not installed' : 'failed'}.`;
  }
  if (code && path) return `The kubeconfig's file ${path} cannot be read (${code}).`;
  return "The kubeconfig's credentials cannot be renewed.";
}

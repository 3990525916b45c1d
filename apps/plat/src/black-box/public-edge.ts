import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import {
  type DnsBroker,
  type IngressEdge,
  installCertificateDefinitions,
  issueCertificate,
  type Pebble,
  startDnsBroker,
  startIngressEdge,
  startPebble,
} from '@plat/testing';
import { EDGE_HOST, type ExposureCluster, TARGET_IP } from './exposure-cluster';

/** The response that a visitor got by https. */
export interface Visit {
  status: number | undefined;
  body: string;
  /** Names of the certificate: `DNS:*.acme-dev.services.lab.example`. */
  certifiedNames: string | undefined;
}

const BROKER_TOKEN = 'token-of-acme-dev';
const TOKEN_FILE = 'broker-token';

/** Around a stand whose name server is PowerDNS: an ACME server, a broker, and the Service web behind an edge. */
export class PublicEdge {
  private edge?: IngressEdge;

  private constructor(
    private readonly stand: ExposureCluster,
    private readonly pebble: Pebble,
    readonly broker: DnsBroker,
    private readonly web: Server,
    /** The flags of expose for a certificate by the broker. */
    readonly flags: readonly string[],
  ) {}

  static async start(stand: ExposureCluster): Promise<PublicEdge> {
    const [pebble, broker] = await Promise.all([
      startPebble(stand.names),
      startDnsBroker(stand.names),
      installCertificateDefinitions(stand.cluster.requests),
    ]);
    broker.tokens.set(BROKER_TOKEN, 'acme-dev');
    const web = createServer((request, response) => response.end(`web of ${request.headers.host}`));
    await once(web.listen(0, '127.0.0.1'), 'listening');
    const tokenFile = await stand.write(TOKEN_FILE, `${BROKER_TOKEN}\n`, 0o600);
    const flags = {
      '--dns01-token-file': tokenFile,
      '--dns01-broker-url': broker.url,
      '--acme-email': 'ops@lab.example',
      '--acme-server': pebble.directoryUrl,
    };
    return new PublicEdge(stand, pebble, broker, web, Object.entries(flags).flat());
  }

  /** Gives the person another token for the broker. */
  async replaceToken(token: string): Promise<void> {
    this.broker.tokens.set(token, 'acme-dev');
    await this.stand.write(TOKEN_FILE, `${token}\n`);
  }

  /** Issues the environment's certificate, as cert-manager does. */
  async certify(): Promise<void> {
    const certificate = { namespace: 'acme-dev', name: 'acme-dev-wildcard', trust: this.pebble.certificate };
    await issueCertificate(this.stand.cluster.requests, certificate);
  }

  /** Serves the environment's Ingresses as they are now. */
  async serve(): Promise<void> {
    await this.edge?.stop();
    const { port } = this.web.address() as AddressInfo;
    this.edge = await startIngressEdge(this.stand.cluster.requests, {
      namespace: 'acme-dev',
      ingressClass: 'traefik',
      backends: { 'acme-web:80': `http://127.0.0.1:${port}` },
    });
  }

  /** Where the edge listens. @throws Error before `serve` */
  port(scheme: 'http' | 'https'): number {
    if (this.edge === undefined) throw new Error('The edge serves nothing yet.');
    return scheme === 'http' ? this.edge.httpPort : this.edge.httpsPort;
  }

  /**
   * Asks by https for a page of a public name, whose address comes from the platform's name server.
   *
   * @throws Error if the name has no address, or its certificate is not for the name or not of the authority
   */
  async visit(host: string): Promise<Visit> {
    const [found] = await this.stand.addresses(host.slice(0, -this.stand.names.zone.length - 1));
    if (found?.address !== TARGET_IP) throw new Error(`${host} has no address of the edge.`);
    const place = { host: EDGE_HOST, port: this.port('https'), servername: host };
    const headers = { host };
    return new Promise((resolve, reject) => {
      const asked = get({ ...place, headers, ca: this.pebble.root, agent: false }, async (response) => {
        const { socket, statusCode: status } = response;
        const names = socket instanceof TLSSocket ? socket.getPeerCertificate().subjectaltname : undefined;
        resolve({ status, certifiedNames: names, body: await text(response) });
      });
      asked.once('error', reject);
    });
  }

  async stop(): Promise<void> {
    await this.edge?.stop();
    await Promise.all([this.pebble.stop(), this.broker.stop()]);
    await new Promise((resolve) => this.web.close(resolve));
  }
}

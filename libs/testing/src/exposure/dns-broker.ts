import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { NameServerPeer } from '../name-servers/name-server-peer';
import { administerPowerDns } from '../name-servers/power-dns';

/**
 * Stands for the broker that writes DNS-01 challenges for environments: `PUT /challenges/<name>` with `{value}` and
 * `DELETE /challenges/<name>`, by bearer token. A token is that of one `<tenant>-<env>`, and writes only inside its own
 * subzone. Spec: Client, Exposure commands, TLS rules.
 */
export interface DnsBroker {
  url: string;
  /** The `<tenant>-<env>` of each token. */
  tokens: Map<string, string>;
  /** Answered requests, in order: `204 PUT _acme-challenge.acme-dev.services.example`. */
  answered: string[];
  stop(): Promise<void>;
}

const PATH = /^\/challenges\/([a-z0-9_.-]+)$/;
const TTL_SECONDS = 60;

/** @param server a PowerDNS, in whose zone the broker writes */
export async function startDnsBroker(server: NameServerPeer): Promise<DnsBroker> {
  const http = createServer((request, response) => {
    void answer(request, { server, tokens: broker.tokens })
      .catch(() => 500)
      .then((status) => {
        broker.answered.push(`${status} ${request.method} ${nameOf(request) ?? request.url}`);
        response.writeHead(status).end();
      });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const broker: DnsBroker = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    tokens: new Map(),
    answered: [],
    stop: () => new Promise((resolve) => http.close(() => resolve())),
  };
  return broker;
}

const nameOf = ({ url = '' }: IncomingMessage): string | undefined => PATH.exec(url)?.[1];

/** @returns the status of the answer */
async function answer(
  request: IncomingMessage,
  { server, tokens }: { server: NameServerPeer; tokens: ReadonlyMap<string, string> },
): Promise<number> {
  const label = tokens.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
  if (label === undefined) return 401;
  const name = nameOf(request);
  if (name === undefined) return 404;
  if (!name.endsWith(`.${label}.${server.zone}`)) return 403;
  const relative = name.slice(0, -server.zone.length - 1);
  if (request.method === 'DELETE') {
    await administerPowerDns(server, ['delete-rrset', server.zone, relative, 'TXT']);
    return 204;
  }
  if (request.method !== 'PUT') return 405;
  const { value } = (await json(request)) as { value: string };
  const record = [server.zone, relative, 'TXT', `${TTL_SECONDS}`, JSON.stringify(value)];
  await administerPowerDns(server, ['replace-rrset', ...record]);
  return 204;
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { boundConnections } from '@plat/local';

/** Longer than a load balancer's idle time, so that the server never closes a connection that the balancer uses. */
const KEEP_ALIVE_MS = 72_000;
/** Time that requests in flight have at a stop before their connections are cut. */
const CUT_MS = 10_000;

export interface Listening {
  /** Handles a request and returns true, or returns false. */
  files: (req: IncomingMessage, res: ServerResponse) => boolean;
  host: string;
  /** 0 takes any free port. */
  port: number;
}

export interface ConsoleListener {
  url: string;
  /**
   * Continues to serve while it drains, without being ready, then lets requests in flight finish. A request that is not
   * finished after `cutMs` is cut, since a client may send half a request, or never read its answer.
   */
  stop(drainMs: number, cutMs?: number): Promise<void>;
}

/** Serves the console's files, and whether the server is ready. */
export async function listen({ files, host, port }: Listening): Promise<ConsoleListener> {
  let isReady = true;
  const server = createServer((req, res) => {
    // A kept connection would delay the end of the process until its client closes it.
    if (!isReady) res.setHeader('connection', 'close');
    if (!files(req, res)) answerElse(req, res, isReady);
  });
  boundConnections(server);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await once(server.listen(port, host), 'listening');
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async stop(drainMs, cutMs = CUT_MS) {
      isReady = false;
      await delay(drainMs);
      await close(server, cutMs);
    },
  };
}

function answerElse({ url }: IncomingMessage, res: ServerResponse, isReady: boolean): void {
  const probed = url === '/healthz' || (url === '/readyz' && isReady);
  const status = probed ? 200 : url === '/readyz' ? 503 : 404;
  const body = probed ? { status: 'ok' } : { code: status === 404 ? 'NOT_FOUND' : 'SERVICE_UNAVAILABLE' };
  res.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  res.end(JSON.stringify(body));
}

async function close(server: Server, cutMs: number): Promise<void> {
  const ended = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const patience = setTimeout(() => server.closeAllConnections(), cutMs);
  await ended;
  clearTimeout(patience);
}

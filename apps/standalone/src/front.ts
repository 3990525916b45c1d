import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, isIPv4 } from 'node:net';
import { HTTP_OPTIONS } from '@plat/service';

/** Longer than a load balancer's idle time, so that the server never closes a connection that the balancer uses. */
const KEEP_ALIVE_MS = 72_000;
/** How long a caller may take to send one request, as at the services, and how often that is looked at, in milliseconds. */
const RECEIVING = { timeoutMs: 60_000, lookMs: 5_000 };
/** Time that requests in flight have at a stop before their connections are cut. */
const DRAIN_MS = 10_000;

/** Handles a request and returns true, or returns false to leave it to the services. */
export type Claim = (req: IncomingMessage, res: ServerResponse) => boolean;

export interface Listeners {
  /** Gets each request first. */
  claim: Claim;
  /** Gets the requests that `claim` leaves. */
  services: RequestListener;
  /** Receives an error that a listener throws, which ends that request alone. */
  onFault(error: unknown): void;
}

/** The one HTTP server. It listens before there is anything to serve, so that a taken port is reported at once. */
export interface Front {
  server: Server;
  /** http://127.0.0.1:port */
  baseUrl: string;
  /** Begins to serve requests, which are answered 503 before. */
  open(listeners: Listeners): void;
  /** Takes no new connection, lets requests in flight finish. */
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1; port 0 is any free port.
 *
 * @throws Error that names the port when it is taken or not permitted
 */
export async function listen(port: number, { timeoutMs, lookMs } = RECEIVING): Promise<Front> {
  let listener: RequestListener = answerStarting;
  const bounds = { requestTimeout: timeoutMs, connectionsCheckingInterval: lookMs };
  const server = createServer({ ...HTTP_OPTIONS, ...bounds }, (req, res) => {
    // Browsers must not guess the type of any answer, an issuer's included.
    res.setHeader('x-content-type-options', 'nosniff');
    if (isOwnName(req.headers.host)) listener(req, res);
    else refuseForeignName(res);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    throw listenFailure(port, error as NodeJS.ErrnoException);
  }
  return {
    server,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open({ claim, services, onFault }) {
      listener = (req, res) => {
        try {
          if (!claim(req, res)) services(req, res);
        } catch (error) {
          onFault(error);
          answerFault(res);
        }
      };
    },
    close: () => drain(server),
  };
}

/**
 * Whether a Host names this machine: as localhost, or by an address. A web page whose own name leads here (DNS rebinding) sends
 * that name, and would otherwise read all answers, and pick an account.
 */
function isOwnName(host: string | undefined): boolean {
  // The services refuse a request without Host.
  if (host === undefined) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return /^(?:.+\.)?localhost$/.test(hostname) || hostname.startsWith('[') || isIPv4(hostname);
}

function refuseForeignName(res: ServerResponse): void {
  const body = { code: 'BAD_REQUEST', message: 'Host must be localhost or an address of this machine.' };
  answer(res, { status: 400, body, headers: { connection: 'close' } });
}

function answerStarting(_req: IncomingMessage, res: ServerResponse): void {
  const body = { code: 'SERVICE_UNAVAILABLE', message: 'The service is starting.' };
  answer(res, { status: 503, body, headers: { 'retry-after': '1' } });
}

function answerFault(res: ServerResponse): void {
  if (res.headersSent) return void res.destroy();
  const body = { code: 'INTERNAL_ERROR', message: 'The service failed; the cause is in its log.' };
  answer(res, { status: 500, body, headers: { connection: 'close' } });
}

interface Refusal {
  status: number;
  body: object;
  headers: OutgoingHttpHeaders;
}

function answer(res: ServerResponse, { status, body, headers }: Refusal): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers });
  res.end(text);
}

function listenFailure(port: number, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} is in use. Choose another with --port N; 0 is any free port.`, {
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new Error(`Port ${port} is not permitted to this user. Choose one above 1023 with --port N.`, {
      cause: error,
    });
  }
  return error;
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const patience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(patience);
}

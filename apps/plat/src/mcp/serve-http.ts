import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundConnections } from '@plat/local';
import { Failure } from '../terminal/failure';
import { type Answer, answerAndClose } from './closing-answer';
import { limitConnections } from './connection-limit';
import { type AcceptedTokens, refuseCaller } from './http-caller';
import { HttpSessions } from './http-sessions';
import type { NewMcpServer } from './mcp-server';
import { foreignRequest, ownHosts } from './request-origin';

const PATH = '/mcp';
/** Most connections at once: those of many agents, each with a stream or two. */
const CONNECTIONS_MAX = 200;
/** The protocol's answer for a server that offers no stream there. It says nothing about the server. */
const PROBE_ANSWER: Answer = { status: 405, headers: { allow: 'POST' }, body: '' };

export interface HttpServing {
  /** Address to listen on. */
  host: string;
  /** 0: any free port. */
  port: number;
  /** Host names that requests may use, besides loopback and the address itself. */
  allowedHosts: readonly string[];
  tokens: AcceptedTokens;
}

/** A running server. */
export interface HttpServer {
  /** The URL for agents. */
  url: string;
  /** Stops listening and closes the connections. */
  close(): Promise<void>;
}

/**
 * Serves MCP's streamable HTTP on /mcp to callers with a token. Without one only GET is answered, because a forward is
 * probed with it. Rules G11 and G14.
 *
 * @throws Failure CANNOT_LISTEN
 */
export async function serveHttp(serving: HttpServing, newServer: NewMcpServer): Promise<HttpServer> {
  const own = ownHosts(serving.host, serving.allowedHosts);
  const sessions = new HttpSessions(newServer);
  const server = createServer((request, response) => void answer(request, response));
  boundConnections(server);
  const connections = limitConnections(server, CONNECTIONS_MAX);
  await listen(server, serving);
  const { port } = server.address() as AddressInfo;
  const host = serving.host.includes(':') ? `[${serving.host}]` : serving.host;
  return {
    url: `http://${host}:${port}${PATH}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await sessions.close();
      server.closeAllConnections();
      await closed;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = await refuse(request);
    if (refusal !== undefined) return answerAndClose(request, response, refusal);
    connections.admit(request.socket);
    if (request.method !== 'POST' && request.headers['mcp-session-id'] === undefined) {
      return send(
        response,
        errorAnswer(405, 'Without a session every request is a POST.', { allow: 'POST' }),
      );
    }
    const session = await sessions.of(request);
    if (!session) return send(response, errorAnswer(404, 'There is no such session: begin another.'));
    await session.handleRequest(request, response);
  }

  /** The answer to a request that shows no accepted token; undefined if it shows one. */
  async function refuse(request: IncomingMessage): Promise<Answer | undefined> {
    const foreign = foreignRequest(request, own);
    if (foreign !== undefined) return errorAnswer(403, foreign);
    if (request.url?.split('?')[0] !== PATH) return errorAnswer(404, `MCP is served on ${PATH}.`);
    if (isProbe(request)) return PROBE_ANSWER;
    const refusal = await refuseCaller(request, serving.tokens);
    if (refusal === undefined) return undefined;
    const { status, message, challenge } = refusal;
    return errorAnswer(status, message, challenge === undefined ? {} : { 'www-authenticate': challenge });
  }
}

/** Whether the request is the probe of a forward: a GET that names neither a token nor a session. */
function isProbe({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.authorization === undefined && headers['mcp-session-id'] === undefined;
}

function errorAnswer(status: number, message: string, headers: OutgoingHttpHeaders = {}): Answer {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body);
}

function listen(server: Server, { host, port }: HttpServing): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Failure('CANNOT_LISTEN', `plat mcp cannot listen on ${host} port ${port}: ${error.message}.`, {
          next: 'repeat the command with another --port',
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { defined } from '@plat/contracts/core';
import { spawn } from '../starter/child-process';
import { gitEnvironment } from './git-command';
import { makeSelfSignedCertificate } from './self-signed-certificate';

export interface ServedGit {
  /** `http://127.0.0.1:port` or `https://127.0.0.1:port`, without a trailing slash. */
  origin: string;
  /** Requests that arrived, as `METHOD /path?query`, in order. */
  requests: string[];
  /** The self-signed certificate in PEM, present with `tls`. */
  certificate: string;
  /** Bytes of all answers' bodies. */
  bytesSent(): number;
  close(): Promise<void>;
}

export interface ServeGitOptions {
  /** `v0` keeps the client's request for the newer protocol from the server. Default `v2`. */
  protocol?: 'v0' | 'v2';
  /** Over https, with a certificate for 127.0.0.1 that no client trusts. Default: plain http. */
  tls?: boolean;
  /** Configuration for every served repository, as `name=value`. */
  config?: string[];
  /** Whether a request needs credentials that it lacks: it is answered 401, as by a forge. Default: no request. */
  refuses?(request: IncomingMessage): boolean;
}

/** Serves all repositories below a folder over http, read-only, by `git http-backend`. */
export async function serveGit(projectRoot: string, options: ServeGitOptions = {}): Promise<ServedGit> {
  const requests: string[] = [];
  let bytesSent = 0;
  const identity = options.tls ? await makeSelfSignedCertificate() : undefined;
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    if (options.refuses?.(request)) {
      request.resume();
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    answer({ request, response, projectRoot }, options, (bytes) => (bytesSent += bytes));
  };
  const server = identity ? createTlsServer(identity, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `${identity ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    certificate: identity?.cert ?? '',
    bytesSent: () => bytesSent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(
  {
    request,
    response,
    projectRoot,
  }: { request: IncomingMessage; response: ServerResponse; projectRoot: string },
  { protocol = 'v2', config = [] }: ServeGitOptions,
  sent: (bytes: number) => void,
): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const backend = spawn(
    'git',
    ['-c', 'safe.directory=*', ...config.flatMap((setting) => ['-c', setting]), 'http-backend'],
    {
      env: gitEnvironment({
        GIT_PROJECT_ROOT: projectRoot,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method ?? 'GET',
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...defined({
          CONTENT_LENGTH: request.headers['content-length'] || undefined,
          // git compresses a long request.
          HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
          GIT_PROTOCOL: protocol === 'v2' ? String(request.headers['git-protocol'] ?? '') : undefined,
        }),
      }),
    },
  );
  request.pipe(backend.stdin);
  backend.stdin.on('error', () => undefined);
  response.on('close', () => backend.kill());
  let head: Buffer | undefined = Buffer.alloc(0);
  backend.stdout.on('data', (chunk: Buffer) => {
    let body = chunk;
    if (head !== undefined) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      writeHead(response, head.toString('latin1', 0, end));
      body = head.subarray(end + 4);
      head = undefined;
    }
    sent(body.length);
    response.write(body);
  });
  backend.on('close', () => response.end());
}

/** Writes the head that a CGI program prints before its body: header lines, `Status` among them. */
function writeHead(response: ServerResponse, head: string): void {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === 'status') response.statusCode = parseInt(value, 10);
    else response.setHeader(name, value);
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CALLBACK = '/callback';

const PAGE = (text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>plat</title><body><p>${text}</p></body></html>`;

/** A listener on loopback that waits for one redirect of the browser (RFC 8252, section 7.3). */
export interface RedirectListener {
  /** The redirect URI to register the request with. */
  redirectUri: string;
  /** The address of the browser's redirect, with the provider's answer in its query. */
  redirected: Promise<URL>;
  close(): void;
}

/**
 * Listens on a free port of 127.0.0.1.
 *
 * @param state only a redirect with this state counts, because any page could send the browser here
 */
export async function listenForRedirect(state: string): Promise<RedirectListener> {
  let arrived: (url: URL) => void = () => undefined;
  const redirected = new Promise<URL>((resolve) => (arrived = resolve));
  const server = createServer((request, response) => {
    const url = redirectOf(request, redirectUri);
    if (url?.searchParams.get('state') !== state) {
      return answer(response, 404, 'This page belongs to no sign-in.');
    }
    answer(response, 200, 'You can close this window and return to the terminal.');
    arrived(url);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK}`;
  return {
    redirectUri,
    redirected,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The address of the listener with the request's query; undefined for a request elsewhere. The target is not parsed as an
 * address: every program of this machine may send here what is none, such as `//`.
 */
function redirectOf({ method, url = '' }: IncomingMessage, redirectUri: string): URL | undefined {
  if (method !== 'GET' || !url.startsWith(`${CALLBACK}?`)) return undefined;
  const redirect = new URL(redirectUri);
  redirect.search = url.slice(CALLBACK.length);
  return redirect;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(PAGE(text));
}

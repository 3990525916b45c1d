import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Budget } from '../budget';
import { embeddedVerifierConfig, type VerifierConfig } from '../config';
import { RemoteFailure } from '../remote-failure';
import type { GitHttpRequest } from './git-http';
import { GuardedHttp } from './guarded-http';

/** For specs: the settings of a reader with small caps, and of one that waits for a short time alone. */
export const config: VerifierConfig = {
  ...embeddedVerifierConfig,
  caps: { ...embeddedVerifierConfig.caps, downloadBytes: 100_000, requests: 3 },
};
export const hasty: VerifierConfig = { ...config, caps: { ...config.caps, idleMs: 200 } };

/** For specs: servers, and readers of them. `close` ends all that was started. */
export function guardedStand() {
  const started: { close(): void }[] = [];
  const servers: Server[] = [];

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    started.push({ close: () => (server.closeAllConnections(), server.close()) });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  async function get(
    url: string,
    used = config,
    { totalMs = 3_000, ...request }: Partial<GitHttpRequest> & { totalMs?: number } = {},
  ) {
    const network = new GuardedHttp(used);
    started.push(network);
    const http = network.open({ budget: new Budget(used.caps), signal: AbortSignal.timeout(totalMs) });
    const answer = await http.request({ url, method: 'GET', ...request });
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) parts.push(part);
    return { ...answer, text: Buffer.concat(parts).toString() };
  }
  const close = () => started.splice(0).forEach((part) => part.close());
  return { started, servers, serve, get, close };
}

export const failsAs = (reason: string, message: string) => ({ reason, message });

/** The failure of a promise, with its words. */
export const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: unknown) =>
      error instanceof RemoteFailure
        ? { reason: error.reason, message: error.message }
        : `another error: ${String(error)}`,
  );

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlatformAlias } from '../config/cloud-alias';
import { discoverProvider, providerFailure } from './identity-provider';

describe('an identity provider that does not answer in time', () => {
  const hangs: RequestListener = () => undefined;
  const hangsInItsAnswer: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  };

  it.each([
    ['before its answer', hangs],
    ['in its answer', hangsInItsAnswer],
  ])('is named with the address of its document, if it hangs %s', async (_, listener) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const alias = { name: 'work', issuer, clientId: 'cli' } as PlatformAlias;
    const error = await discoverProvider(alias, 0.2).catch((thrown: unknown) => thrown);
    server.closeAllConnections();
    server.close();
    const failure = providerFailure(error, alias);
    expect([failure.code, failure.message]).toEqual([
      'IDENTITY_PROVIDER_FAILED',
      `${issuer}/.well-known/openid-configuration did not answer within 0.2 seconds.`,
    ]);
  });
});

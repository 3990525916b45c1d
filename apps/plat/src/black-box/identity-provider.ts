import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A certified OpenID provider that knows the client, and signs in any person who types a name. */
export interface TestIdentityProvider {
  issuer: string;
  close(): Promise<void>;
}

/**
 * @param audience the one resource that tokens are issued for (RFC 8707)
 * @param ignoresResource issues tokens for it whatever resource is asked for, as many providers do
 */
export async function startIdentityProvider(
  audience: string,
  { ignoresResource = false } = {},
): Promise<TestIdentityProvider> {
  const { Provider } = await import('oidc-provider');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    jwks: {
      keys: [
        generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as never,
      ],
    },
    cookies: { keys: ['test'] },
    clients: [
      {
        client_id: 'plat-cli',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        redirect_uris: ['http://127.0.0.1/callback'],
      },
    ],
    features: {
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // A request for no resource, or for another one, gets no token that the API accepts.
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== audience && !ignoresResource) throw new Error(`no such resource: ${resource}`);
          return { scope: '', audience, accessTokenFormat: 'jwt' };
        },
      },
    },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

import type { PlatformAlias } from '../config/cloud-alias';
import { type Endpoints, requireOwnEndpoints } from './own-endpoints';

const alias: PlatformAlias = {
  name: 'work',
  kind: 'platform',
  apiUrl: 'https://api.example.com',
  audience: 'https://api.example.com',
  issuer: 'https://id.example.com/realms/one',
  clientId: 'plat-cli',
};
const TOKEN = 'https://id.example.com/token';

describe('a provider begins a sign-in at its own hosts', () => {
  it.each<[string, Endpoints]>([
    ['one host', { authorization_endpoint: 'https://id.example.com/auth', token_endpoint: TOKEN }],
    [
      'tokens from another host, as one vendor has it',
      {
        authorization_endpoint: 'https://id.example.com/auth',
        device_authorization_endpoint: 'https://tokens.example.net/device/code',
        token_endpoint: 'https://tokens.example.net/token',
      },
    ],
    [
      'all on another host than the issuer, as another vendor has it',
      {
        authorization_endpoint: 'https://acme.auth.example.net/authorize',
        token_endpoint: 'https://acme.auth.example.net/token',
      },
    ],
    ['no sign-in', { token_endpoint: TOKEN }],
  ])('%s: taken', (_which, endpoints) => {
    expect(() => requireOwnEndpoints(alias, endpoints)).not.toThrow();
  });

  it.each<[string, Endpoints]>([
    ['the page', { authorization_endpoint: 'https://login.example.org/auth', token_endpoint: TOKEN }],
    [
      'the code to enter',
      { device_authorization_endpoint: 'https://login.example.org/d', token_endpoint: TOKEN },
    ],
    ['another port', { authorization_endpoint: 'https://id.example.com:444/', token_endpoint: TOKEN }],
    ['no host', { authorization_endpoint: 'javascript:void(0)', token_endpoint: 'data:,' }],
  ])('%s of another place: refused', (_which, endpoints) => {
    expect(() => requireOwnEndpoints(alias, endpoints)).toThrow(
      expect.objectContaining({ code: 'FOREIGN_SIGN_IN' }),
    );
  });
});

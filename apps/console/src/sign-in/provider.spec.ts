import { allowInsecureRequests } from 'oauth4webapi';
import { requestOptions, signInPage } from './provider';

const issuer = 'https://id.example.com';

describe('the page on which a person signs in', () => {
  it.each(['https://id.example.com/auth', 'http://127.0.0.1:7070/auth', 'http://[::1]:7070/auth'])(
    'is %s',
    (endpoint) => {
      expect(signInPage({ issuer, authorization_endpoint: endpoint }).href).toBe(endpoint);
    },
  );

  it.each([
    'javascript:alert(1)//',
    'data:text/html,hello',
    'http://id.example.com/auth',
    'http://127.example.com/auth',
    'auth',
    undefined,
  ])('is not %s', (endpoint) => {
    expect(() => signInPage({ issuer, authorization_endpoint: endpoint })).toThrow('names no page');
  });
});

it.each([
  ['http://127.0.0.1:7070', true],
  ['http://localhost:7070', true],
  ['http://127.example.com', false],
])('plain http to %s is permitted: %p', (address, isPermitted) => {
  expect(requestOptions(address)[allowInsecureRequests]).toBe(isPermitted);
});

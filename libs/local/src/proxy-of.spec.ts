import { proxyOf } from './proxy-of';

const SERVER = 'https://api.example.com:6443';
const PROXY = 'http://proxy.example.com:3128';
const variables = { http: '', https: PROXY, except: '' };

describe('the proxy to an API server', () => {
  it('is that of the scheme of its address, as kubectl takes it', () => {
    const both = { http: 'socks5://one:1080', https: 'http://two:3128', except: '' };
    expect(proxyOf('https://api:6443', both)).toBe('http://two:3128');
    expect(proxyOf('http://api:8080', both)).toBe('socks5://one:1080');
    expect(proxyOf('http://api:8080', variables)).toBeUndefined();
  });

  it('is one of HTTP if it names no scheme', () => {
    expect(proxyOf(SERVER, { ...variables, https: 'proxy:3128' })).toBe('http://proxy:3128');
  });

  it.each([
    'https://localhost:6443',
    'https://127.0.0.1:6443',
    'https://127.8.9.10',
    'https://[::1]:6443',
    'no URL',
  ])('is never used for %s', (server) => expect(proxyOf(server, variables)).toBeUndefined());

  it.each([
    ['*', SERVER],
    ['api.example.com', SERVER],
    ['API.Example.com', SERVER],
    ['example.com', SERVER],
    ['.example.com', SERVER],
    ['*.example.com', SERVER],
    ['other, api.example.com:6443', SERVER],
    ['api.example.com:443', 'https://api.example.com'],
    ['10.1.2.3', 'https://10.1.2.3:6443'],
    ['10.0.0.0/8', 'https://10.1.2.3:6443'],
    ['fd00::/8', 'https://[fd00::1]:6443'],
    ['[fd00::1]:6443', 'https://[fd00::1]:6443'],
  ])('is not used if the exceptions are %s, for %s', (except, server) => {
    expect(proxyOf(server, { ...variables, except })).toBeUndefined();
  });

  it.each([
    ['', SERVER],
    [' , ,', SERVER],
    ['example.com:443', SERVER],
    ['ample.com', SERVER],
    ['.api.example.com', SERVER],
    ['10.0.0.0/8', 'https://11.1.2.3:6443'],
    ['10.0.0.0/40', 'https://10.1.2.3:6443'],
    ['10.0.0.0/8', SERVER],
    ['fd00::/8', 'https://10.1.2.3:6443'],
  ])('is used if the exceptions are %j, for %s', (except, server) => {
    expect(proxyOf(server, { ...variables, except })).toBe(PROXY);
  });
});

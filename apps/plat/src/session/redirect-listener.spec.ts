import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { listenForRedirect, type RedirectListener } from './redirect-listener';

describe('the listener for the redirect of a sign-in', () => {
  let listener: RedirectListener;
  beforeEach(async () => (listener = await listenForRedirect('expected')));
  afterEach(() => listener.close());

  /** Sends a request with any target, which a client for HTTP would not send, and returns the status line. */
  async function send(target: string, method = 'GET'): Promise<string> {
    const { port, host } = new URL(listener.redirectUri);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return (await text(socket)).split('\r\n')[0] ?? '';
  }

  it.each([
    '//',
    '///?state=expected',
    '//[/callback?state=expected',
    'http://[/',
    'http://evil.example/callback?state=expected&code=c',
    '/callback',
    '/callback?state=other&code=c',
    '/callback/?state=expected',
    '/x/../callback?state=expected',
    '*',
  ])('answers 404 to what is no redirect, and goes on waiting: %s', async (target) => {
    expect(await send(target)).toBe('HTTP/1.1 404 Not Found');
    expect(await send('/callback?state=expected&code=c', 'POST')).toBe('HTTP/1.1 404 Not Found');
    expect(await send('/callback?state=expected&code=right')).toBe('HTTP/1.1 200 OK');
    expect((await listener.redirected).href).toBe(`${listener.redirectUri}?state=expected&code=right`);
  });

  it('takes a query with any characters', async () => {
    expect(await send('/callback?state=expected&code=%zz&x=[#//')).toBe('HTTP/1.1 200 OK');
    expect((await listener.redirected).searchParams.get('state')).toBe('expected');
  });
});

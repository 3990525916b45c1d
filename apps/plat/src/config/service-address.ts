import { Failure } from '../terminal/failure';

/**
 * Checks the address of a service that gets a bearer token or a sign-in, and returns it as given.
 * Plain http is accepted on loopback only, because on a network others could read the token.
 *
 * @param what names the address in the message, for example `--api-url`
 * @throws Failure INVALID_ADDRESS
 */
export function serviceAddress(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid(what, 'it is not an http(s) address');
  }
  if (url.username || url.password) throw invalid(what, 'it carries a user name or password');
  if (url.search || url.hash) throw invalid(what, 'it has a query or a fragment');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(what, 'plain http is accepted on this machine only (localhost, 127.0.0.1, [::1])');
  }
  return text.trim();
}

/** Whether the host is this machine by its name, without a lookup. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function invalid(what: string, why: string): Failure {
  return new Failure('INVALID_ADDRESS', `${what} cannot be used: ${why}.`, {
    next: 'give an address like https://api.example.com',
  });
}

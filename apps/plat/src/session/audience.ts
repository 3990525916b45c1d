import { isLoopback } from '../config/service-address';
import { Failure } from '../terminal/failure';

/**
 * The API's name for itself, for which tokens are asked. A platform could name another one, and would then be sent tokens
 * with which it could act there. Only behind a forward to this machine does the name have another origin.
 *
 * @throws Failure OTHER_AUDIENCE
 */
export function ownAudience(named: unknown, address: string): string {
  if (!isFilled(named)) return address;
  const { origin, hostname } = new URL(address);
  if (isLoopback(hostname) || (URL.canParse(named) && new URL(named).origin === origin)) return named;
  throw new Failure('OTHER_AUDIENCE', `${address} asks for tokens for ${named}, which is at another place.`, {
    details: { apiUrl: address, audience: named },
    next: 'give the address of the platform itself; if its administrator confirms the other name: --audience <url>',
  });
}

export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

import { Resolver, lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { VerifierConfig } from '../config';
import { unreadable } from '../remote-failure';
import { isAddressAllowed } from './address-policy';

export interface HostAddress {
  address: string;
  family: 4 | 6;
}

/** Milliseconds that one name server may take, and how often it is asked. */
const NAME_SERVER = { timeout: 3_000, tries: 2 };

/**
 * Every address of a host, all of them vetted. The connection goes to one of these and the name is not
 * looked up again, so an answer that changes between check and use changes nothing.
 *
 * @throws RemoteFailure remote_unreadable when the name is unknown or one of its addresses is closed
 */
export async function resolveHost(hostname: string, config: VerifierConfig): Promise<HostAddress[]> {
  const addresses = await addressesOf(hostname, config);
  if (addresses.length === 0) throw unreadable('host name without an address');
  if (!addresses.every(({ address }) => isAddressAllowed(address, config))) {
    throw unreadable('host name with an address that is not allowed');
  }
  return addresses;
}

async function addressesOf(hostname: string, config: VerifierConfig): Promise<HostAddress[]> {
  if (isLocalhost(hostname)) return [hostAddress('127.0.0.1'), hostAddress('::1')];
  if (config.nameResolution === 'system') {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => hostAddress(address));
  }
  const resolver = new Resolver(NAME_SERVER);
  if (config.nameServers) resolver.setServers(config.nameServers);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(hostAddress) : []));
}

/** These names are the loopback by definition (RFC 6761) and never asked of a name server. */
function isLocalhost(hostname: string): boolean {
  return hostname.toLowerCase().replace(/\.$/, '').split('.').at(-1) === 'localhost';
}

function hostAddress(address: string): HostAddress {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}

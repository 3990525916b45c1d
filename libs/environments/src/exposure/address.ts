import { isIPv4 } from 'node:net';
import type { Fault } from '../fault';

/** The port of a service unless `--port` gives another. Spec: Client, plat expose. */
export const SERVICE_PORT_DEFAULT = 80;
const PORT_MAX = 65_535;
/** Longest address that is looked at, in characters. */
const ADDRESS_LENGTH_MAX = 15;

/** Why the text is no address that a record of type A can have; undefined if it is. Spec: Client, Exposure plan. */
export function targetIpFault(text: string | undefined): Fault | undefined {
  if (text === undefined) return { field: '--ip', why: 'is missing' };
  if (text.length <= ADDRESS_LENGTH_MAX && isIPv4(text)) return undefined;
  return { field: '--ip', value: text, why: 'is no IPv4 address, such as 192.0.2.10' };
}

/** @returns undefined if the text is no port */
export function servicePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= PORT_MAX ? port : undefined;
}

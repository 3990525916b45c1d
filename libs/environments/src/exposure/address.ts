import { ingressAddressFault } from '@plat/contracts/core';
import type { Fault } from '../fault';

/** The port of a service unless `--port` gives another. Spec: Client, plat expose. */
export const SERVICE_PORT_DEFAULT = 80;
const PORT_MAX = 65_535;

/** Why the text is no address that an ingress can have; undefined if it is. Spec: Client, Exposure plan; rule E4. */
export function targetIpFault(text: string | undefined): Fault | undefined {
  if (text === undefined) return { field: '--ip', why: 'is missing' };
  const why = ingressAddressFault(text);
  return why === undefined
    ? undefined
    : { field: '--ip', value: text, why: `${why}; give the ingress's, such as 192.0.2.10` };
}

/** @returns undefined if the text is no port */
export function servicePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= PORT_MAX ? port : undefined;
}

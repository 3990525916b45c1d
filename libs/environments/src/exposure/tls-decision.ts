import { completeDns01, type Dns01, type Dns01Flags, missingDns01 } from './dns01';

/** The inputs of the decision on TLS. */
export interface TlsInput {
  /** Whether `--no-tls` is given. */
  noTls: boolean;
  dns01: Dns01Flags;
  /** Whether the environment is the platform's own, whose certificate comes from the edge. */
  isPlatform: boolean;
}

/** Whether the ingress has a tls block, and if not, why. Rule H13. */
export type TlsDecision =
  { tlsEnabled: true; dns01?: Dns01 | undefined } | { tlsEnabled: false; tlsDisabledReason: string };

/**
 * Decides for https only if something fills the secret of the certificate: the three DNS-01 flags, or the edge of the
 * platform's own environment, which `dns01` then leaves alone. Spec: Client, TLS rules, rules 1 to 3.
 */
export function decideTls({ noTls, dns01, isPlatform }: TlsInput): TlsDecision {
  if (noTls) return { tlsEnabled: false, tlsDisabledReason: '--no-tls' };
  if (isPlatform) return { tlsEnabled: true };
  const complete = completeDns01(dns01);
  if (complete !== undefined) return { tlsEnabled: true, dns01: complete };
  const missing = missingDns01(dns01).join(', ');
  return { tlsEnabled: false, tlsDisabledReason: `missing DNS-01 broker config: ${missing}` };
}

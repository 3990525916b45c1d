import { isDomain } from '../domain';
import type { Fault } from '../fault';
import { isAddress, isLine } from '../variable-type';

/** The production server of the ACME authority that everybody may use. Spec: Client, TLS rules, rule 3. */
export const ACME_SERVER_DEFAULT = 'https://acme-v02.api.letsencrypt.org/directory';
/** API group under which the webhook of the broker is registered in a cluster. `.internal` is a reserved name. Rule H13. */
export const WEBHOOK_GROUP_DEFAULT = 'acme.plat.internal';

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const EMAIL_LENGTH_MAX = 254;

/** The flags of `plat expose` for a certificate by the DNS-01 broker. Spec: Client, plat expose. */
export interface Dns01Flags {
  tokenFile?: string | undefined;
  brokerUrl?: string | undefined;
  acmeEmail?: string | undefined;
  acmeServer?: string | undefined;
  webhookGroupName?: string | undefined;
}

/** The broker and the authority that give an environment its certificate. */
export interface Dns01 {
  brokerUrl: string;
  acmeEmail: string;
  acmeServer: string;
  webhookGroupName: string;
}

/** Each wrong flag that is given; an empty value is a wrong one. */
export function dns01Faults(flags: Dns01Flags): Fault[] {
  const { tokenFile, brokerUrl, acmeEmail, acmeServer, webhookGroupName } = flags;
  const url = 'is no http(s) URL without credentials';
  return [
    fault(tokenFile, isLine, { field: '--dns01-token-file', why: 'is no path' }),
    fault(brokerUrl, isAddress, { field: '--dns01-broker-url', why: url }),
    fault(acmeEmail, isEmail, { field: '--acme-email', value: acmeEmail, why: 'is no e-mail address' }),
    fault(acmeServer, isAddress, { field: '--acme-server', why: url }),
    fault(webhookGroupName, isDomain, {
      field: '--dns01-webhook-group-name',
      value: webhookGroupName,
      why: `is no API group, such as ${WEBHOOK_GROUP_DEFAULT}`,
    }),
  ].filter((found) => found !== undefined);
}

/** The three flags without which there is no certificate, as far as they are missing. Spec: Client, TLS rules, rule 3. */
export function missingDns01({ tokenFile, brokerUrl, acmeEmail }: Dns01Flags): string[] {
  const needed = {
    '--dns01-token-file': tokenFile,
    '--dns01-broker-url': brokerUrl,
    '--acme-email': acmeEmail,
  };
  return Object.entries(needed).flatMap(([flag, value]) => (value === undefined ? [flag] : []));
}

/** @returns undefined if one of the three flags is missing */
export function completeDns01(flags: Dns01Flags): Dns01 | undefined {
  const { brokerUrl, acmeEmail, acmeServer, webhookGroupName } = flags;
  if (missingDns01(flags).length > 0 || brokerUrl === undefined || acmeEmail === undefined) return undefined;
  return {
    brokerUrl,
    acmeEmail,
    acmeServer: acmeServer ?? ACME_SERVER_DEFAULT,
    webhookGroupName: webhookGroupName ?? WEBHOOK_GROUP_DEFAULT,
  };
}

/**
 * The broker token in the text of its file: one line without control characters. White space around it does not count.
 *
 * @returns undefined if the text is anything else
 */
export function brokerToken(text: string): string | undefined {
  const token = text.trim();
  return isLine(token) ? token : undefined;
}

function fault(value: string | undefined, accepts: (text: string) => boolean, found: Fault) {
  return value === undefined || accepts(value) ? undefined : found;
}

function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && isLine(text) && EMAIL.test(text);
}

import { attacksPart } from './attacks/part';
import { forwardsPart } from './forwards/part';
import { httpPart } from './http/part';
import { ledgerPart } from './ledger/part';
import type { Part } from './part';
import { verifierPart } from './verifier/part';

/** The parts by name; `all` runs them in this order. */
export const parts: Readonly<Record<string, Part>> = {
  http: httpPart,
  verifier: verifierPart,
  attacks: attacksPart,
  forwards: forwardsPart,
  ledger: ledgerPart,
};

/** The part that `npm run bench` alone measures. */
export const DEFAULT_PART = 'http';

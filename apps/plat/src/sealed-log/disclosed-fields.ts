import { canonicalJson, type Leaf, parseBase64 } from '@plat/ledger';
import { Altered } from './altered';

/** The fields of an entry, by name. */
export type Fields = Readonly<Record<string, unknown>>;

const ALGORITHM = 'Ed25519';
const PUBLIC_KEY_BYTES = 32;
const REASONS: readonly unknown[] = ['person', 'retention'];

/**
 * Reads the fields that an entry commits to, which must be canonical JSON: in any other text a name could be there twice,
 * and two readers would not read the same.
 *
 * @throws Altered
 */
export function readFields(text: string, index: number): Fields {
  try {
    const fields: unknown = JSON.parse(text);
    const isObject = typeof fields === 'object' && fields !== null;
    if (isObject && canonicalJson(fields) === text) return fields as Fields;
  } catch {
    // A text that is no JSON is not canonical either.
  }
  throw new Altered(`The fields of entry ${index} are not canonical JSON.`, index);
}

/** An entry at its place in a tenant's log. */
export interface PlacedLeaf {
  leaf: Leaf;
  index: number;
  tenantId: string;
}

/** Demands that the fields are those of the thing that the leaf names. @throws Altered */
export function demandFieldsOf({ leaf, index, tenantId }: PlacedLeaf, fields: Fields): void {
  const wrong = Object.entries(expectedFields(leaf, tenantId)).find(
    ([name, value]) => fields[name] !== value,
  );
  if (wrong) {
    const [name, value] = wrong;
    throw new Altered(`Entry ${index} is of ${value}, and its field ${name} says otherwise.`, index);
  }
}

/** A leaf's time as answers of the API show it: without zeros at its end. */
const shownInstant = (at: string): string => at.replace(/\.?0+Z$/, 'Z');

function expectedFields({ kind, id, at }: Leaf, tenantId: string): Record<string, string> {
  switch (kind) {
    case 'audit':
      return { auditEventId: id, createdAt: shownInstant(at), tenantId };
    case 'landing':
      return { reviewId: id, tenantId };
    case 'key':
      return { algorithm: ALGORITHM };
    case 'erasure':
      return {};
  }
}

/** The key that a key leaf records, base64 of 32 bytes. @throws Altered */
export function recordedKey({ publicKey }: Fields, index: number): string {
  if (typeof publicKey === 'string' && parseBase64(publicKey, PUBLIC_KEY_BYTES)) return publicKey;
  throw new Altered(`Entry ${index} is of a key, and has none of 32 bytes.`, index);
}

/** The entries that an erasure names. @throws Altered */
export function erasedRanges({ entries, reason }: Fields, index: number): string {
  if (typeof entries === 'string' && REASONS.includes(reason)) return entries;
  throw new Altered(`Entry ${index} is an erasure, and lacks the entries or the reason of it.`, index);
}

import {
  type Checkpoint,
  openCheckpoint,
  parseCheckpoint,
  parseNote,
  SignatureRefused,
  type VerifierKey,
} from '@plat/ledger';
import { printableLine } from '../terminal/printable';

/** A checkpoint of a log, with the signed note that says it. */
export interface SignedCheckpoint extends Checkpoint {
  /** The signed note, byte for byte. */
  note: string;
}

/** A checkpoint whose signature holds, and the given keys that have signed it, at least one. */
export interface VerifiedCheckpoint extends SignedCheckpoint {
  signedBy: readonly VerifierKey[];
}

/**
 * Reads a signed note, and verifies it by the keys.
 *
 * @throws Malformed, SignatureRefused
 */
export function verifyCheckpoint(
  note: Uint8Array | string,
  keys: readonly VerifierKey[],
): VerifiedCheckpoint {
  const { signatures } = parseNote(note);
  const isKnown = (one: KeyNamed) => keys.some((key) => keyText(key) === keyText(one));
  if (!signatures.some(isKnown)) throw new SignatureRefused(notSigned(signatures, keys));
  const { checkpoint, signedBy } = openCheckpoint(note, keys);
  return { ...checkpoint, note: textOf(note), signedBy };
}

type KeyNamed = Pick<VerifierKey, 'name' | 'keyId'>;

/** How the text of a key begins, which says which one it is. */
const keyText = ({ name, keyId }: KeyNamed): string => `${name}+${keyId}`;

/** Which keys were expected and which have signed: one of the two is a wrong one. */
function notSigned(signatures: readonly KeyNamed[], keys: readonly VerifierKey[]): string {
  const listed = (all: readonly KeyNamed[]) => {
    const names = [...new Set(all.map(keyText))];
    return names.slice(0, LISTED_MAX).join(', ') + (names.length > LISTED_MAX ? ', …' : '');
  };
  const expected = keys.length === 0 ? 'there is no key to verify it by' : `none by ${listed(keys)}`;
  return printableLine(`it bears a signature by ${listed(signatures)}, and ${expected}.`);
}

const LISTED_MAX = 4;

/** Reads a signed note without its signatures: for one that was verified when it was kept. @throws Malformed */
export function readCheckpoint(note: Uint8Array | string): SignedCheckpoint {
  return { ...parseCheckpoint(parseNote(note).text), note: textOf(note) };
}

const textOf = (note: Uint8Array | string): string =>
  typeof note === 'string' ? note : Buffer.from(note).toString('utf8');

/** Which state of the log it is, for a person: `4711 entries, root 8f3c…=`. */
export function headText({ size, rootHash }: { size: number; rootHash: Uint8Array }): string {
  const root = Buffer.from(rootHash).toString('base64');
  return `${size} ${size === 1 ? 'entry' : 'entries'}, root ${root}`;
}

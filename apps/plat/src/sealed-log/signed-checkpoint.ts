import {
  type Checkpoint,
  openCheckpoint,
  parseCheckpoint,
  parseNote,
  SignatureRefused,
  type VerifierKey,
} from '@plat/ledger';

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
  try {
    const { checkpoint, signedBy } = openCheckpoint(note, keys);
    return { ...checkpoint, note: textOf(note), signedBy };
  } catch (error) {
    throw error instanceof SignatureRefused ? withSigners(error, note, keys) : error;
  }
}

/** Most keys that a message names. */
const NAMED_MAX = 4;

/** Says by which keys a refused note is signed: a wrong key, such as another log's, is more likely than a forged note. */
function withSigners(
  refused: SignatureRefused,
  note: Uint8Array | string,
  keys: readonly VerifierKey[],
): SignatureRefused {
  const { signatures } = parseNote(note);
  const ofLog = keys.filter(({ name }) => signatures.some((signature) => signature.name === name));
  if (signatures.some(({ keyId }) => ofLog.some((key) => key.keyId === keyId))) return refused;
  const by = ofLog.length > 0 ? 'keyId' : 'name';
  const named = (list: readonly { name: string; keyId: string }[]) =>
    [...new Set(list.map((one) => one[by]))].slice(0, NAMED_MAX).join(', ');
  return new SignatureRefused(
    `${refused.message} It is signed by ${named(signatures)}, not by ${named(keys)}.`,
  );
}

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

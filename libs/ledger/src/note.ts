import { type KeyObject, sign, verify } from 'node:crypto';
import { parseBase64 } from './base64';
import { Malformed } from './malformed';
import { isKeyName, keyObjectOf, type VerifierKey, verifierKeyOf } from './verifier-key';

/** A signed note. C2SP signed-note, "Format". */
export interface Note {
  /** The text that is signed, with the newline at its end. */
  text: string;
  /** At least one. */
  signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  name: string;
  /** Eight digits, hexadecimal. */
  keyId: string;
  signature: Buffer;
}

/** A signer of notes, whose name is the origin of its log. */
export interface NoteSigner {
  name: string;
  /** Ed25519. */
  privateKey: KeyObject;
}

/** A note whose signature by a known key is false, or that no known key has signed. */
export class SignatureRefused extends Error {}

/** Longest note that is read. */
export const NOTE_BYTES_MAX = 1_000_000;
const SIGNATURES_MAX = 100;
const KEY_ID_BYTES = 4;
// Escaped: the client reads its bundle as Latin 1, in which an expression would have three other characters for a dash.
const SIGNATURE_LINE = /^\u2014 ([^ ]+) ([^ ]+)$/;

const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/**
 * Takes a note apart. Nothing is verified: its text counts only once `openNote` has returned.
 *
 * @throws Malformed if it is no note, has more than 1,000,000 bytes or more than 100 signatures
 */
export function parseNote(note: Uint8Array | string): Note {
  const whole = readText(note);
  const blankLine = whole.lastIndexOf('\n\n');
  if (blankLine < 0) throw new Malformed('The note has no blank line before its signatures.');
  const lines = whole.slice(blankLine + 2).split('\n');
  if (lines.pop() !== '' || lines.length === 0) {
    throw new Malformed('The note does not end with a line of a signature.');
  }
  if (lines.length > SIGNATURES_MAX) throw new Malformed(`The note has ${lines.length} signatures.`);
  return { text: whole.slice(0, blankLine + 1), signatures: lines.map(parseSignature) };
}

function readText(note: Uint8Array | string): string {
  if (Buffer.byteLength(note) > NOTE_BYTES_MAX) {
    throw new Malformed(`The note has more than ${NOTE_BYTES_MAX} bytes.`);
  }
  const text = typeof note === 'string' ? note : decodeUtf8(note);
  if (text === undefined || !text.isWellFormed()) throw new Malformed('The note is not UTF-8.');
  if (CONTROL.test(text)) throw new Malformed('The note has a control character.');
  return text;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseSignature(line: string): NoteSignature {
  const [, name = '', base64 = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = parseBase64(base64);
  if (!isKeyName(name) || bytes === undefined || bytes.length <= KEY_ID_BYTES) {
    throw new Malformed('The note has a line among its signatures that is none.');
  }
  return {
    name,
    keyId: bytes.toString('hex', 0, KEY_ID_BYTES),
    signature: bytes.subarray(KEY_ID_BYTES),
  };
}

/**
 * Verifies a note by the keys that are known. Signatures by others are left alone.
 *
 * @returns the keys that have signed, at least one
 * @throws SignatureRefused if a signature by a known key is false, or there is none
 */
export function openNote({ text, signatures }: Note, known: readonly VerifierKey[]): VerifierKey[] {
  const signed = new Set<VerifierKey>();
  for (const { name, keyId, signature } of signatures) {
    const key = known.find((candidate) => candidate.name === name && candidate.keyId === keyId);
    if (key === undefined) continue;
    if (!verify(null, Buffer.from(text), keyObjectOf(key), signature)) {
      throw new SignatureRefused(`The signature by ${name} (key ${keyId}) is false.`);
    }
    signed.add(key);
  }
  if (signed.size === 0) throw new SignatureRefused('None of the keys that are known has signed the note.');
  return [...signed];
}

/**
 * Signs a text.
 *
 * @param text ends with a newline and has no other control characters
 * @returns the note
 * @throws RangeError for another text, a key that is not Ed25519, or a name that no key may have
 */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!text.endsWith('\n') || CONTROL.test(text) || !text.isWellFormed()) {
    throw new RangeError('The text of a note ends with a newline and has no other control characters.');
  }
  const lines = signers.map(({ name, privateKey }) => {
    const keyId = Buffer.from(verifierKeyOf(name, privateKey).keyId, 'hex');
    const signature = sign(null, Buffer.from(text), privateKey);
    return `— ${name} ${Buffer.concat([keyId, signature]).toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

import { isDeepStrictEqual } from 'node:util';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { MergeReceipt, MergeReceiptKeySet } from '@plat/api-client';
import { readRegularFile } from '@plat/local';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { statementOf } from './receipt-statement';

/** A key has some hundred bytes. */
const BYTES_MAX = 1024 * 1024;

/** Pinned keys: a JSON Web Key Set, as GET /v1/merge-receipt-keys returns it. @throws Failure KEYS_NOT_READABLE */
export function readPinnedKeys(file: string): MergeReceiptKeySet {
  try {
    const text = readRegularFile(file, { bytesMax: BYTES_MAX }).toString('utf8');
    const keySet = readJson(text) as MergeReceiptKeySet;
    if (Array.isArray(keySet.keys)) return keySet;
    throw new Error('it has no list of keys');
  } catch (error) {
    throw new Failure(
      'KEYS_NOT_READABLE',
      `${file} holds no keys of receipts: ${(error as Error).message}.`,
      {
        next: 'give --keys a file with a trusted answer of GET /v1/merge-receipt-keys',
      },
    );
  }
}

/** Reads JSON. Its error says nothing of the text: an agent may name any file, of which none may show a word. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
}

/**
 * Checks that one of the keys has signed the receipt's values, field by field.
 * @returns the id of the key
 * @throws Failure RECEIPT_NOT_SIGNED
 */
export async function checkSignature(receipt: MergeReceipt, { keys }: MergeReceiptKeySet): Promise<string> {
  const next = nextStep(
    'do not trust this receipt; ask the administrator of the platform for its keys, and pin them by --keys',
  );
  const statement = statementOf(receipt);
  const verified = await compactVerify(receipt.jws, createLocalJWKSet({ keys } as unknown as JSONWebKeySet), {
    algorithms: ['EdDSA'],
  }).catch((error: Error) => {
    throw new Failure('RECEIPT_NOT_SIGNED', `no known key has signed this receipt: ${error.message}.`, {
      next,
    });
  });
  const signed = JSON.parse(Buffer.from(verified.payload).toString('utf8')) as Record<string, unknown>;
  const differing = [...new Set([...Object.keys(signed), ...Object.keys(statement)])].filter(
    (field) => !isDeepStrictEqual(signed[field], (statement as Record<string, unknown>)[field]),
  );
  if (differing.length > 0) {
    throw new Failure(
      'RECEIPT_NOT_SIGNED',
      `the signed values differ from the shown ones: ${differing.join(', ')}.`,
      {
        next,
      },
    );
  }
  return verified.protectedHeader.kid ?? 'unnamed';
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@plat/service';
import { encodeName, lastAdditional, readName, uint16 } from './dns-message';

export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha512'] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

/** A key shared with the name server. */
export interface TsigKey {
  name: string;
  algorithm: TsigAlgorithm;
  /** In base64. */
  secret: Secret;
}

const TYPE_TSIG = 250;
const CLASS_ANY = 255;
/** How far the two clocks may be apart, in seconds. */
const FUDGE_SECONDS = 300;

/** The fields of a signature besides the MAC, in the order in which they are signed. */
interface TsigFields {
  timeSeconds: number;
  fudgeSeconds: number;
  error: number;
  other: Buffer;
}

/** Signs a message (RFC 8945). The MAC is needed to verify the reply. */
export function sign(message: Buffer, key: TsigKey, nowSeconds: number): { signed: Buffer; mac: Buffer } {
  const fields = { timeSeconds: nowSeconds, fudgeSeconds: FUDGE_SECONDS, error: 0, other: Buffer.alloc(0) };
  const mac = macOf([message], key, fields);
  const id = message.readUInt16BE(0);
  const data = Buffer.concat([
    encodeName(key.algorithm),
    uint48(nowSeconds),
    ...[FUDGE_SECONDS, mac.length].map(uint16),
    mac,
    ...[id, 0, 0].map(uint16),
  ]);
  const record = [
    encodeName(key.name),
    uint16(TYPE_TSIG),
    uint16(CLASS_ANY),
    Buffer.alloc(4),
    uint16(data.length),
  ];
  return { signed: Buffer.concat([withAdditional(message, +1), ...record, data]), mac };
}

/**
 * Verifies the signature of a reply to a request with the given MAC.
 *
 * @throws Error that names what is wrong with it
 */
export function verify(
  reply: Buffer,
  key: TsigKey,
  { requestMac, nowSeconds }: { requestMac: Buffer; nowSeconds: number },
): void {
  const start = lastAdditional(reply);
  if (start === undefined) throw new Error('the reply is not signed');
  const { name, end } = readName(reply, start);
  if (reply.readUInt16BE(end) !== TYPE_TSIG) throw new Error('the reply is not signed');
  const algorithm = readName(reply, end + 10);
  if (name !== key.name.toLowerCase().replace(/\.$/, '') || algorithm.name !== key.algorithm) {
    throw new Error('the reply is signed with another key');
  }
  const { mac, originalId, ...fields } = readFields(reply, algorithm.end);
  const message = withAdditional(reply.subarray(0, start), -1);
  message.writeUInt16BE(originalId, 0);
  const expected = macOf([uint16(requestMac.length), requestMac, message], key, fields);
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) {
    throw new Error('the signature of the reply is wrong');
  }
  if (fields.error !== 0) {
    throw new Error(`the name server refused the signature (TSIG error ${fields.error})`);
  }
  if (Math.abs(fields.timeSeconds - nowSeconds) > FUDGE_SECONDS) {
    throw new Error('the reply is signed at another time');
  }
}

/** The error code that the server reports for a request's signature; 0 when it reports none. */
export function signatureError(reply: Buffer): number {
  const start = lastAdditional(reply);
  if (start === undefined) return 0;
  const { end } = readName(reply, start);
  return reply.readUInt16BE(end) === TYPE_TSIG ? readFields(reply, readName(reply, end + 10).end).error : 0;
}

function readFields(reply: Buffer, at: number): TsigFields & { mac: Buffer; originalId: number } {
  const macEnd = at + 10 + reply.readUInt16BE(at + 8);
  return {
    timeSeconds: reply.readUIntBE(at, 6),
    fudgeSeconds: reply.readUInt16BE(at + 6),
    mac: reply.subarray(at + 10, macEnd),
    originalId: reply.readUInt16BE(macEnd),
    error: reply.readUInt16BE(macEnd + 2),
    other: reply.subarray(macEnd + 6, macEnd + 6 + reply.readUInt16BE(macEnd + 4)),
  };
}

function macOf(signedFirst: Buffer[], { name, algorithm, secret }: TsigKey, fields: TsigFields): Buffer {
  const hmac = createHmac(algorithm.slice('hmac-'.length), Buffer.from(secret.reveal(), 'base64'));
  for (const part of signedFirst) hmac.update(part);
  const { timeSeconds, fudgeSeconds, error, other } = fields;
  return hmac
    .update(Buffer.concat([encodeName(name), uint16(CLASS_ANY), Buffer.alloc(4), encodeName(algorithm)]))
    .update(Buffer.concat([uint48(timeSeconds), ...[fudgeSeconds, error, other.length].map(uint16), other]))
    .digest();
}

/** A copy whose header counts one additional record more or less, since a signature does not sign its own record. */
function withAdditional(message: Buffer, change: 1 | -1): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(copy.readUInt16BE(10) + change, 10);
  return copy;
}

function uint48(value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(value, 0, 6);
  return bytes;
}

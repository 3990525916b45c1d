/**
 * The bytes that a DSSE envelope signs (Pre-Authentication Encoding, version 1): the type and the payload, each with its
 * length before it.
 */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

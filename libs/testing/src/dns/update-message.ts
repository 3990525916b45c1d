import { createHmac } from 'node:crypto';

/** The signature of a message, as it was received. */
export interface Tsig {
  keyName: string;
  timeSeconds: number;
  mac: Buffer;
  /** Time and fudge as sent, followed by zeros for the error and the length of other data. */
  variables: Buffer;
  /** The message before it was signed. */
  unsigned: Buffer;
  /** The whole record, in wire form. */
  record: Buffer;
}

export interface Signer {
  name: string;
  /** In base64. */
  secret: string;
  algorithm: string;
}

interface UpdateRecord {
  name: string;
  recordClass: number;
  ttl: number;
  data: Buffer;
}

/** Name and type of a message's first question, and the length of header and question together in bytes. */
export interface Question {
  name: string;
  type: number;
  end: number;
}

export function macOf({ name, secret, algorithm }: Signer, parts: Buffer[], variables: Buffer): Buffer {
  const hmac = createHmac(algorithm.replace('hmac-', ''), Buffer.from(secret, 'base64'));
  for (const part of parts) hmac.update(part);
  return hmac
    .update(wire(name))
    .update(Buffer.from([0, 255, 0, 0, 0, 0]))
    .update(wire(algorithm))
    .update(variables)
    .digest();
}

const wire = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.from([0]),
  ]);

/** A name without compression, as clients of this server send it, and the place after it. */
function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let place = start;
  for (let length = message[place++]!; length > 0; length = message[place++]!) {
    labels.push(message.toString('latin1', place, place + length));
    place += length;
  }
  return { name: labels.join('.'), end: place };
}

export function readQuestion(message: Buffer): Question {
  const { name, end } = readName(message, 12);
  return { name: name.toLowerCase(), type: message.readUInt16BE(end), end: end + 4 };
}

export function readUpdate(message: Buffer): { zoneName: string; updates: UpdateRecord[]; tsig: Tsig } {
  const zone = readQuestion(message);
  let place = zone.end;
  const record = () => {
    const start = place;
    const { name, end } = readName(message, place);
    const dataStart = end + 10;
    place = dataStart + message.readUInt16BE(end + 8);
    const data = message.subarray(dataStart, place);
    const [recordClass, ttl] = [message.readUInt16BE(end + 2), message.readUInt32BE(end + 4)];
    return { name, recordClass, ttl, data, start, dataStart };
  };
  const updates = Array.from({ length: message.readUInt16BE(8) }, record);
  const signature = record();
  const { end: variables } = readName(message, signature.dataStart);
  const macLength = message.readUInt16BE(variables + 8);
  const unsigned = Buffer.from(message.subarray(0, signature.start));
  unsigned.writeUInt16BE(0, 10);
  const tsig: Tsig = {
    keyName: signature.name,
    timeSeconds: message.readUIntBE(variables, 6),
    mac: message.subarray(variables + 10, variables + 10 + macLength),
    variables: Buffer.concat([message.subarray(variables, variables + 8), Buffer.alloc(4)]),
    unsigned,
    record: message.subarray(signature.start, place),
  };
  return { zoneName: zone.name, updates, tsig };
}

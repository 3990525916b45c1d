import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A small authoritative server that takes signed UPDATEs of A records, over UDP and TCP on one port. */
export interface UpdateServer {
  port: number;
  keyName: string;
  /** In base64. */
  secret: string;
  /** The records there are, by name: `60 192.0.2.1`. */
  records: Map<string, string>;
  /** How it misbehaves, while set. */
  fault?: 'unsigned' | 'wrong signature' | 'truncated by UDP' | 'silent' | undefined;
  /** How each accepted update came. */
  transports: ('udp' | 'tcp')[];
  stop(): Promise<void>;
}

const RCODE = { NOERROR: 0, REFUSED: 5, NOTAUTH: 9 } as const;

/** @param algorithm of its one key */
export async function startUpdateServer(
  zone: string,
  algorithm: 'hmac-sha256' | 'hmac-sha512' = 'hmac-sha256',
): Promise<UpdateServer> {
  const secret = Buffer.from('a key for tests, and for nothing else').toString('base64');
  const tcp = createServer();
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  const server: UpdateServer = {
    port,
    secret,
    keyName: 'platform-key',
    records: new Map(),
    transports: [],
    stop: async () => {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
  const context = { server, zone, algorithm };
  udp.on('message', (message, { port: from, address }) => {
    if (server.fault === 'silent') return;
    udp.send(replyTo(message, 'udp', context), from, address);
  });
  tcp.on('connection', (socket) => answerTcp(socket, context));
  return server;
}

interface Context {
  server: UpdateServer;
  zone: string;
  algorithm: string;
}

function answerTcp(socket: Socket, context: Context): void {
  socket.once('data', (received: Buffer) => {
    const reply = replyTo(received.subarray(2), 'tcp', context);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(reply.length);
    // In two pieces, as a network may deliver it.
    socket.write(Buffer.concat([length, reply.subarray(0, 5)]));
    setImmediate(() => socket.end(reply.subarray(5)));
  });
}

function replyTo(message: Buffer, transport: 'udp' | 'tcp', { server, zone, algorithm }: Context): Buffer {
  const header = Buffer.from(message.subarray(0, 12));
  header.fill(0, 4);
  if (transport === 'udp' && server.fault === 'truncated by UDP') {
    header.writeUInt16BE(0x8000 | 0x2800 | 0x0200, 2);
    return header;
  }
  const { updates, zoneName, tsig } = parse(message);
  const signer = { name: server.keyName, secret: server.secret, algorithm };
  const genuine = tsig.mac.equals(macOf(signer, [tsig.unsigned], tsig)) && tsig.keyName === server.keyName;
  const rcode = !genuine ? RCODE.NOTAUTH : zoneName !== zone ? RCODE.REFUSED : RCODE.NOERROR;
  header.writeUInt16BE(0x8000 | 0x2800 | rcode, 2);
  if (rcode !== RCODE.NOERROR) return header;
  server.transports.push(transport);
  for (const { name, recordClass, ttl, data } of updates) {
    if (recordClass === 255) server.records.delete(name);
    else server.records.set(name, `${ttl} ${[...data].join('.')}`);
  }
  if (server.fault === 'unsigned') return header;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(tsig.mac.length);
  const mac = macOf(signer, [length, tsig.mac, header], tsig);
  if (server.fault === 'wrong signature') mac[0]! ^= 1;
  const record = Buffer.from(tsig.record);
  mac.copy(record, record.length - 6 - mac.length);
  header.writeUInt16BE(1, 10);
  return Buffer.concat([header, record]);
}

interface Tsig {
  keyName: string;
  mac: Buffer;
  /** Time and fudge as sent, then no error and no other data. */
  variables: Buffer;
  /** The message before it was signed. */
  unsigned: Buffer;
  record: Buffer;
}

function macOf(
  { name, secret, algorithm }: { name: string; secret: string; algorithm: string },
  parts: Buffer[],
  { variables }: Tsig,
): Buffer {
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

function parse(message: Buffer) {
  let place = 12;
  const name = (): string => {
    const labels: string[] = [];
    for (let length = message[place++]!; length > 0; length = message[place++]!) {
      labels.push(message.toString('latin1', place, place + length));
      place += length;
    }
    return labels.join('.');
  };
  const record = () => {
    const start = place;
    const owner = name();
    const recordClass = message.readUInt16BE(place + 2);
    const ttl = message.readUInt32BE(place + 4);
    const dataStart = place + 10;
    place = dataStart + message.readUInt16BE(place + 8);
    return { name: owner, recordClass, ttl, data: message.subarray(dataStart, place), start, dataStart };
  };
  const zoneName = name();
  place += 4;
  const updates = Array.from({ length: message.readUInt16BE(8) }, record);
  const signature = record();
  const end = place;
  place = signature.dataStart;
  name();
  const macLength = message.readUInt16BE(place + 8);
  const unsigned = Buffer.from(message.subarray(0, signature.start));
  unsigned.writeUInt16BE(0, 10);
  const tsig: Tsig = {
    keyName: signature.name,
    mac: message.subarray(place + 10, place + 10 + macLength),
    variables: Buffer.concat([message.subarray(place, place + 8), Buffer.alloc(4)]),
    unsigned,
    record: message.subarray(signature.start, end),
  };
  return { zoneName, updates, tsig };
}

import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { macOf, readQuestion, readUpdate, type Signer, type Tsig } from './update-message';

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
  /** How long a message by UDP is not looked at, while set; undefined: not at all. */
  hold?: ((message: Buffer) => Promise<void> | undefined) | undefined;
  /** The transport of each accepted update. */
  transports: ('udp' | 'tcp')[];
  stop(): Promise<void>;
}

const RCODE = { NOERROR: 0, NXDOMAIN: 3, NOTAUTH: 9 } as const;
const TSIG_ERROR = { BADSIG: 16, BADKEY: 17, BADTIME: 18 } as const;
const OPCODE_UPDATE = 5;
const FLAG_REPLY = 0x8000;
const FLAG_AUTHORITATIVE = 0x0400;
const FLAG_TRUNCATED = 0x0200;
const FUDGE_SECONDS = 300;

/** @param algorithm the algorithm of the server's only key */
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
  const context = { server, zone, signer: { name: server.keyName, secret, algorithm } };
  udp.on('message', (message, { port: from, address }) => {
    if (server.fault === 'silent') return;
    const reply = () => udp.send(replyTo(message, 'udp', context), from, address);
    const held = server.hold?.(message);
    if (held === undefined) reply();
    else void held.then(reply);
  });
  tcp.on('connection', (socket) => answerTcp(socket, context));
  return server;
}

interface Context {
  server: UpdateServer;
  zone: string;
  signer: Signer;
}

function answerTcp(socket: Socket, context: Context): void {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    const reply = replyTo(received.subarray(2), 'tcp', context);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(reply.length);
    // Sends the reply in two pieces, as a network may deliver it.
    socket.write(Buffer.concat([length, reply.subarray(0, 5)]));
    setImmediate(() => socket.end(reply.subarray(5)));
  });
}

function replyTo(message: Buffer, transport: 'udp' | 'tcp', context: Context): Buffer {
  const { server, zone, signer } = context;
  if (((message.readUInt16BE(2) >> 11) & 0xf) !== OPCODE_UPDATE) return answerQuery(message, server.records);
  if (transport === 'udp' && server.fault === 'truncated by UDP') return replyHeader(message, FLAG_TRUNCATED);
  const { updates, zoneName, tsig } = readUpdate(message);
  const error = errorOf(tsig, signer);
  if (error !== undefined) return refuseSignature(message, { tsig, error, signer });
  const rcode = zoneName === zone ? RCODE.NOERROR : RCODE.NOTAUTH;
  if (rcode === RCODE.NOERROR) {
    server.transports.push(transport);
    for (const { name, recordClass, ttl, data } of updates) {
      if (recordClass === 255) server.records.delete(name);
      else server.records.set(name, `${ttl} ${[...data].join('.')}`);
    }
  }
  const reply = replyHeader(message, rcode);
  if (server.fault === 'unsigned') return reply;
  const signed = withSignature(reply, tsig, signer);
  // The MAC is followed by the original id, the error and the length of other data: 2 bytes each.
  if (server.fault === 'wrong signature') signed[signed.length - 7]! ^= 1;
  return signed;
}

/** The header of a reply, without any section. */
function replyHeader(message: Buffer, flags: number): Buffer {
  const header = Buffer.alloc(12);
  message.copy(header, 0, 0, 4);
  header.writeUInt16BE((message.readUInt16BE(2) & 0x7900) | FLAG_REPLY | flags, 2);
  return header;
}

function errorOf(tsig: Tsig, signer: Signer): number | undefined {
  if (tsig.keyName !== signer.name) return TSIG_ERROR.BADKEY;
  if (!tsig.mac.equals(macOf(signer, [tsig.unsigned], tsig.variables))) return TSIG_ERROR.BADSIG;
  const apartSeconds = Math.abs(tsig.timeSeconds - Date.now() / 1000);
  return apartSeconds > FUDGE_SECONDS ? TSIG_ERROR.BADTIME : undefined;
}

function withSignature(reply: Buffer, tsig: Tsig, signer: Signer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(tsig.mac.length);
  const mac = macOf(signer, [length, tsig.mac, reply], tsig.variables);
  const record = Buffer.from(tsig.record);
  mac.copy(record, record.length - 6 - mac.length);
  const counted = Buffer.from(reply);
  counted.writeUInt16BE(1, 10);
  return Buffer.concat([counted, record]);
}

/** Refuses a signature as servers do: with the request's record and the error. Its MAC proves nothing. */
function refuseSignature(
  message: Buffer,
  { tsig, error, signer }: { tsig: Tsig; error: number; signer: Signer },
): Buffer {
  const reply = withSignature(replyHeader(message, RCODE.NOTAUTH), tsig, { ...signer, secret: '' });
  reply.writeUInt16BE(error, reply.length - 4);
  return reply;
}

/** Answers a question for a name's address, by its own record or by the wildcard above it. */
function answerQuery(message: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const { name, type, end } = readQuestion(message);
  const record = records.get(name) ?? records.get(name.replace(/^[^.]+/, '*'));
  const header = replyHeader(message, FLAG_AUTHORITATIVE | (record ? RCODE.NOERROR : RCODE.NXDOMAIN));
  header.writeUInt16BE(1, 4);
  const question = message.subarray(12, end);
  if (record === undefined || type !== 1) return Buffer.concat([header, question]);
  header.writeUInt16BE(1, 6);
  const [ttl, address] = record.split(' ') as [string, string];
  const fields = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
  fields.writeUInt32BE(Number(ttl), 6);
  return Buffer.concat([header, question, fields]);
}

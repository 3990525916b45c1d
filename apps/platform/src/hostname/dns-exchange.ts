import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FLAG_TRUNCATED } from './dns-message';

const REPLY_TIMEOUT_MS = 2_000;
const UDP_ATTEMPTS = 2;

export interface NameServerAddress {
  host: string;
  port: number;
}

/**
 * Sends a message to a name server and returns its reply: by UDP, then by TCP if the reply does not fit.
 *
 * @throws Error when the server does not reply in time
 */
export async function exchange(message: Buffer, { host, port }: NameServerAddress): Promise<Buffer> {
  const { address, family } = await lookup(host);
  const server = { address, family, port };
  let failure: unknown;
  for (let attempt = 0; attempt < UDP_ATTEMPTS; attempt++) {
    try {
      const reply = await byUdp(message, server);
      return (reply.readUInt16BE(2) & FLAG_TRUNCATED) === 0 ? reply : await byTcp(message, server);
    } catch (error) {
      failure = error;
    }
  }
  throw new Error('the name server does not answer', { cause: failure });
}

interface ResolvedAddress {
  address: string;
  family: number;
  port: number;
}

async function byUdp(message: Buffer, { address, family, port }: ResolvedAddress): Promise<Buffer> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  const signal = AbortSignal.timeout(REPLY_TIMEOUT_MS);
  try {
    // A connected socket receives datagrams of the server alone.
    socket.connect(port, address);
    await once(socket, 'connect', { signal });
    const heard = once(socket, 'message', { signal });
    socket.send(message);
    const [reply] = (await heard) as [Buffer];
    return expectReply(reply, message);
  } finally {
    socket.close();
  }
}

async function byTcp(message: Buffer, { address, port }: ResolvedAddress): Promise<Buffer> {
  const socket = connect({ host: address, port });
  // For the whole reply: a timeout of the socket would begin again with each byte, while a transaction waits.
  const timer = setTimeout(() => socket.destroy(new Error('no reply in time')), REPLY_TIMEOUT_MS);
  try {
    return await askByTcp(socket, message);
  } finally {
    clearTimeout(timer);
  }
}

async function askByTcp(socket: Socket, message: Buffer): Promise<Buffer> {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  socket.write(Buffer.concat([length, message]));
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer]);
    if (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) break;
  }
  const reply = received.subarray(2);
  if (received.length < 2 || reply.length !== received.readUInt16BE(0)) throw new Error('the reply is cut');
  return expectReply(reply, message);
}

function expectReply(reply: Buffer, message: Buffer): Buffer {
  if (reply.length < 12 || reply.readUInt16BE(0) !== message.readUInt16BE(0)) {
    throw new Error('the reply is to another message');
  }
  return reply;
}

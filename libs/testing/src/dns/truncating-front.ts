import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A proxy before a name server. It answers every UDP query as truncated, and passes TCP on. */
export interface TruncatingFront {
  host: string;
  port: number;
  /** How many connections there were by TCP. */
  connections(): number;
  stop(): Promise<void>;
}

/** @param behind the server's port on 127.0.0.1 */
export async function startTruncatingFront(behind: number): Promise<TruncatingFront> {
  let connections = 0;
  const tcp = createServer((socket) => {
    connections += 1;
    const onward = connect(behind, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => socket.destroy());
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4', (message, { port: from, address }) => {
    const reply = Buffer.from(message.subarray(0, 12));
    reply.writeUInt16BE(reply.readUInt16BE(2) | 0x8200, 2);
    reply.fill(0, 4);
    udp.send(reply, from, address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    host: '127.0.0.1',
    port,
    connections: () => connections,
    stop: async () => {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { exchange } from './dns-exchange';
import { FLAG_TRUNCATED } from './dns-message';

const MESSAGE = Buffer.alloc(12, 1);

/** A name server whose reply does not fit by UDP, and comes byte by byte, without an end, by TCP. */
async function startDrippingServer() {
  const byTcp = createServer((socket) => {
    const drip = setInterval(() => socket.write(Buffer.of(0xff)), 300);
    socket.once('close', () => clearInterval(drip)).on('error', () => undefined);
  });
  await once(byTcp.listen(0, '127.0.0.1'), 'listening');
  const { port } = byTcp.address() as AddressInfo;
  const byUdp = createSocket('udp4');
  byUdp.on('message', (message, from) => {
    const reply = Buffer.from(message);
    reply.writeUInt16BE(FLAG_TRUNCATED, 2);
    byUdp.send(reply, from.port, from.address);
  });
  await once(byUdp.bind(port, '127.0.0.1'), 'listening');
  const stop = () => {
    byTcp.close();
    byUdp.close();
  };
  return { port, stop };
}

it('ends a reply by TCP that comes byte by byte', async () => {
  const { port, stop } = await startDrippingServer();
  await expect(exchange(MESSAGE, { host: '127.0.0.1', port })).rejects.toThrow(
    'the name server does not answer',
  );
  stop();
}, 10_000);

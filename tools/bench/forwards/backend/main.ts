import { type AddressInfo, createServer, type Socket } from 'node:net';
import { CHUNK, ERRANDS, ORDER_LENGTH, readOrder } from '../exchange';

/** The server in the pod, in a process of its own. It prints its port, and ends when its standard input ends. */
const server = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('readable', () => takeOrder(socket));
});

function takeOrder(socket: Socket): void {
  const order = socket.read(ORDER_LENGTH) as Buffer | null;
  if (order === null) return void socket.once('readable', () => takeOrder(socket));
  const { letter, bytes } = readOrder(order);
  if (letter === ERRANDS.download) send(socket, bytes);
  else receive(socket, bytes);
}

function send(socket: Socket, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (left > 0) {
      const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
      left -= chunk.length;
      if (!socket.write(chunk)) return void socket.once('drain', more);
    }
    socket.end();
  };
  more();
}

function receive(socket: Socket, bytes: number): void {
  let left = bytes;
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left === 0) socket.end('.');
  });
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.resume().once('end', () => process.kill(process.pid, 'SIGTERM'));

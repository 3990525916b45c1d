import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { refuseProtocolSwitch } from './protocol-switch';

it('an answer that leaves HTTP is an error of its request', async () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
  const server = createServer((socket) => socket.once('data', () => socket.write(switching)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const request = refuseProtocolSwitch(get({ host: '127.0.0.1', port, agent: false }));
  expect(await once(request, 'error')).toEqual([expect.objectContaining({ code: 'EPROTO' })]);
  server.close();
});

import { once } from 'node:events';
import { createServer } from 'node:net';
import { type ReservedPorts, reservePorts } from './reserved-ports';

describe('reserved ports', () => {
  const all: ReservedPorts[] = [];
  afterEach(() => Promise.all(all.splice(0).map((ports) => ports.release())));

  async function reserve(): Promise<ReservedPorts> {
    const ports = await reservePorts();
    all.push(ports);
    return ports;
  }

  it('are given once, below those that systems give by themselves', async () => {
    const starts = await Promise.all(Array.from({ length: 20 }, async () => (await reserve()).start));
    expect(new Set(starts).size).toBe(20);
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...starts) + 49).toBeLessThan(30_000);
  });

  it('are free, and can be listened on while they are reserved', async () => {
    const { start } = await reserve();
    const servers = [start, start + 22, start + 48].map((port) => createServer().listen(port, '127.0.0.1'));
    await Promise.all(servers.map((server) => once(server, 'listening')));
    for (const server of servers) server.close();
  });
});

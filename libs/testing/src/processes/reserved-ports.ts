import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Systems take the ports of outgoing connections and of `listen(0)` from higher ones: Linux from 32768, macOS from 49152. */
const FIRST = 20_000;
const END = 30_000;
const BLOCK_SIZE = 50;
/** The port of a block whose listener holds the reservation. */
const HELD = BLOCK_SIZE - 1;

/** Ports of 127.0.0.1 that are free, and that no other test of this machine gets until they are released. */
export interface ReservedPorts {
  /** The first of 49 ports in a row. */
  start: number;
  release(): Promise<void>;
}

/**
 * Reserves ports for a test that lets another process listen on them, or nothing at all. A port that was found by
 * `listen(0)` may be given to any other process meanwhile.
 */
export async function reservePorts(): Promise<ReservedPorts> {
  const blocks = (END - FIRST) / BLOCK_SIZE;
  const first = randomInt(blocks);
  for (let at = 0; at < blocks; at += 1) {
    const start = FIRST + ((first + at) % blocks) * BLOCK_SIZE;
    const reserved = await reserveBlock(start);
    if (reserved !== undefined) return reserved;
  }
  throw new Error(`no block of ports from ${FIRST} to ${END - 1} is free`);
}

/** Undefined if the block is reserved, or if another process listens on one of its ports. */
async function reserveBlock(start: number): Promise<ReservedPorts | undefined> {
  const holder = await listen(start + HELD);
  if (holder === undefined) return undefined;
  const servers = await Promise.all(Array.from({ length: HELD }, (_, offset) => listen(start + offset)));
  await Promise.all(servers.flatMap((server) => (server ? close(server) : [])));
  if (!servers.includes(undefined)) return { start, release: () => close(holder) };
  await close(holder);
  return undefined;
}

/** Undefined if the port is taken. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  } catch {
    return undefined;
  }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}

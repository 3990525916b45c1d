import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

const FIRST_CHECK_MS = 50;
const LAST_CHECK_MS = 20_000;
/** A check waits this many times as long as the last one took, which a large table makes slow. */
const REST = 30;
/** If the system has no table of sockets, a half-closed socket counts as closed after this time without a byte. */
const SILENT_MS = 60_000;
/** Linux's tables of TCP sockets; a program may use IPv4 through an IPv6 socket. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

interface Watched {
  onGone: () => void;
  bytes: number;
  since: number;
}

/**
 * Sockets whose local peer has sent its end. TCP does not say if the peer still waits for the reply or has closed its
 * socket; the system's table of sockets does, because peer and forward are on the same machine.
 */
export class HalfOpenSockets {
  private readonly watched = new Map<Socket, Watched>();
  private timer: NodeJS.Timeout | undefined;
  private delay = FIRST_CHECK_MS;
  private rest = 0;
  private isChecking = false;

  /** @param onGone called once, if the peer's socket is closed; not after `delete` */
  add(socket: Socket, onGone: () => void): void {
    this.watched.set(socket, { onGone, bytes: socket.bytesWritten, since: performance.now() });
    // While the next check is near, it stays: others may be added at any rate.
    if (this.isChecking || (this.timer && this.delay === FIRST_CHECK_MS)) return;
    this.delay = FIRST_CHECK_MS;
    this.schedule();
  }

  delete(socket: Socket): void {
    this.watched.delete(socket);
    if (this.watched.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), Math.max(this.delay, this.rest));
  }

  private async check(): Promise<void> {
    this.timer = undefined;
    this.isChecking = true;
    const start = performance.now();
    const asked = new Map(this.watched);
    const held = await findHeldPeers(new Set([...asked.keys()].map(({ localPort }) => localPort)));
    this.isChecking = false;
    this.rest = Math.min(REST * (performance.now() - start), LAST_CHECK_MS);
    for (const [socket, entry] of asked) {
      if (this.watched.get(socket) !== entry) continue;
      const isGone = held ? !held.has(pairOf(socket.remotePort, socket.localPort)) : isSilent(socket, entry);
      if (!isGone) continue;
      this.watched.delete(socket);
      entry.onGone();
    }
    if (this.watched.size === 0) return;
    const hasNew = [...this.watched.keys()].some((socket) => !asked.has(socket));
    this.delay = hasNew ? FIRST_CHECK_MS : Math.min(2 * this.delay, LAST_CHECK_MS);
    this.schedule();
  }
}

const pairOf = (local: number | undefined, remote: number | undefined) => `${local}:${remote}`;

function isSilent({ bytesWritten }: Socket, entry: Watched): boolean {
  if (bytesWritten !== entry.bytes) {
    entry.bytes = bytesWritten;
    entry.since = performance.now();
  }
  return performance.now() - entry.since > SILENT_MS;
}

/**
 * The (own port, peer's port) of the sockets to these ports that a process holds; undefined if the system has no such
 * table. The tables have a row for every socket of the machine, so only those rows are taken apart.
 */
async function findHeldPeers(ports: ReadonlySet<number | undefined>): Promise<Set<string> | undefined> {
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'latin1').catch(() => '')));
  if (tables.every((table) => table === '')) return undefined;
  const numbers = [...ports].map((port = 0) => port.toString(16).toUpperCase().padStart(4, '0')).join('|');
  // Own address, peer's, state, queues, timer, retransmissions, user, timeout, inode. No process holds inode 0.
  const row = new RegExp(`:(\\w{4}) \\w+:(${numbers}) \\w\\w \\S+ \\S+ \\S+ +\\d+ +\\d+ [1-9]`, 'g');
  const found = tables.flatMap((table) => [...table.matchAll(row)]);
  return new Set(found.map(([, own, peer]) => pairOf(parseInt(own!, 16), parseInt(peer!, 16))));
}

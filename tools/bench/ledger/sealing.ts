import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { cpuSeconds, parentOf } from './cpu';

const LOOK_MS = 100;

/** The number of rows that were sealed, and how fast. */
export interface SealingRate {
  name: string;
  rows: number;
  perSecond: number;
  /** The rate of the last tenth of the rows. */
  lastTenthPerSecond: number;
  /** Rows by the seconds that the database's processes used: what other programs on the machine take is not in it. */
  perProcessorSecond: number;
}

interface Sealed {
  size: number;
  at: number;
}

/** A log that is to grow by so many rows. */
export interface Growing {
  name: string;
  tenantId: string;
  rows: number;
  signal: AbortSignal;
}

/** Has a service seal the rows that wait in a log, and watches it do so, until the last is sealed and signed. */
export async function measureSealing(
  owner: Client,
  sealer: { start(): Promise<unknown> },
  { name, tenantId, rows, signal }: Growing,
): Promise<SealingRate> {
  const before = await readSealedSize(owner, tenantId);
  const server = await serverOf(owner);
  const used = await cpuSeconds(server);
  const seen: Sealed[] = [{ size: before, at: performance.now() }];
  await sealer.start();
  for (let last = seen[0]!; last.size < before + rows;) {
    signal.throwIfAborted();
    await delay(LOOK_MS);
    last = { size: await readSealedSize(owner, tenantId), at: performance.now() };
    // The service gets ready meanwhile.
    if (last.size === before) seen.length = 0;
    seen.push(last);
  }
  const processorSeconds = (await cpuSeconds(server)) - used;
  const end = seen.at(-1)!;
  const tenth = seen.find(({ size }) => size >= before + rows * 0.9)!;
  return {
    name,
    rows,
    perSecond: rate(seen[0]!, end),
    lastTenthPerSecond: rate(seen[seen.indexOf(tenth) - 1] ?? tenth, end),
    perProcessorSecond: (end.size - before) / processorSeconds,
  };
}

const rate = (from: Sealed, to: Sealed): number => ((to.size - from.size) / (to.at - from.at)) * 1000;

/** How many entries a log has that are sealed and signed. */
export async function readSealedSize(owner: Client, tenantId: string): Promise<number> {
  const { rows } = await owner.query<{ size: string }>(
    'SELECT coalesce(max(note_size), 0)::text AS size FROM ledger.logs WHERE tenant_id = $1',
    [tenantId],
  );
  return Number(rows[0]!.size);
}

/** The server's first process. */
async function serverOf(owner: Client): Promise<number> {
  const { rows } = await owner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return parentOf(rows[0]!.pid);
}

import { type KeyObject } from 'node:crypto';
import { consistencyProof } from '@plat/ledger';
import { SealedLog } from '@plat/testing';
import type { PlatformDouble, SeenRequest } from './platform-double';

/** Answers the routes of a tenant's log, with what it has at the moment of each request. */
export function serveLog(
  platform: PlatformDouble,
  log: SealedLog,
  keys: readonly KeyObject[] = [log.key],
): void {
  platform.answer('GET /v1/audit-log/checkpoint', () => {
    const rootHash = log.root().toString('base64');
    return { body: { origin: log.origin, size: log.size, rootHash, checkpoint: log.checkpoint({ keys }) } };
  });
  platform.answer('GET /v1/audit-log/keys', () => ({
    body: {
      origin: log.origin,
      keys: keys.map((key) => ({ verifierKey: log.verifierKey(key), signs: true })),
    },
  }));
  platform.answer('GET /v1/audit-log/entries', (request) => ({ body: pageFrom(log, queryOf(request)) }));
  platform.answer('GET /v1/audit-log/consistency-proof', async (request) => {
    const { from, to = log.size } = queryOf(request);
    if (Number(to) > log.size) {
      return { status: 400, body: { code: 'INVALID_QUERY', message: 'The log has no such size.' } };
    }
    return { body: await proofOf(log, Number(from), Number(to)) };
  });
}

/** Another log of the same name that has the first `size` entries in common. Its entries after those are its own. */
export function forkOf(log: SealedLog, size: number): SealedLog {
  const fork = new SealedLog(log.origin);
  fork.entries.splice(0, fork.size, ...log.entries.slice(0, size));
  return fork;
}

export function queryOf({ url }: SeenRequest): Record<string, string> {
  return Object.fromEntries(new URL(url, 'http://x').searchParams);
}

/** A page of entries, as the route answers it. */
export function pageFrom(log: SealedLog, query: Record<string, string>): object {
  const first = Number(query.from ?? 0);
  const last = Math.min(first + Number(query.limit ?? 256), log.size);
  const entries = log.entries.slice(first, last).map(({ leaf, shown }, at) => ({
    index: first + at,
    leaf: leaf.toString(),
    salt: shown?.salt.toString('base64'),
    fields: shown?.fields,
  }));
  return { entries, nextFrom: last < log.size ? last : undefined };
}

async function proofOf(log: SealedLog, from: number, to: number): Promise<object> {
  const whole = forkOf(log, to);
  const hashes = await consistencyProof({ from, to }, whole.reader());
  return { from, to, hashes: hashes.map((hash) => hash.toString('base64')) };
}

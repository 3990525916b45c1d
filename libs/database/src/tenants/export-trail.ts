import { createHash } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { Client } from 'pg';
import { asTenant, TenantFault, type TenantRow } from './tenant-session';

const PAGE_ROWS = 5_000;
/** The last line is shorter. */
const SUMMARY_BYTES_MAX = 4096;

/** The last line of an export, by which a complete file is known. */
export interface Summary {
  tenant: string;
  tenantId: string;
  events: number;
  /** The SHA-256 of the lines before, in hex. */
  sha256: string;
}

/**
 * Writes the whole trail of a tenant to a file, oldest first: a JSON object a line in the columns of audit.audit_events,
 * and a last line with their number and SHA-256. The file has mode 0600 and its name only once it is complete. A complete
 * file of the same tenant is kept, because a command that was interrupted may have deleted rows since.
 *
 * @returns the number of events in the file
 * @throws TenantFault as expectExportable
 */
export async function exportTrail(client: Client, tenant: TenantRow, file: string): Promise<number> {
  const present = await expectExportable(tenant, file);
  if (present !== undefined) return present.events;
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, 'w', 0o600);
  const digest = createHash('sha256');
  let events = 0;
  try {
    for await (const lines of trailOf(client, tenant.tenantId)) {
      const text = lines.map((line) => `${line}\n`).join('');
      digest.update(text);
      events += lines.length;
      await handle.write(text);
    }
    const summary: Summary = {
      tenant: tenant.name,
      tenantId: tenant.tenantId,
      events,
      sha256: digest.digest('hex'),
    };
    await handle.write(`${JSON.stringify(summary)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  return events;
}

/**
 * Determines whether the trail can be exported to a file, before anything is done.
 *
 * @returns the summary of the tenant's complete export, if the file is that
 * @throws TenantFault if the file is something else
 */
export async function expectExportable(tenant: TenantRow, file: string): Promise<Summary | undefined> {
  const present = await readSummary(file);
  if (present === undefined || present?.tenantId === tenant.tenantId) return present;
  throw new TenantFault(`${file} exists, and is no export of ${tenant.name}: name another file.`);
}

async function* trailOf(client: Client, tenantId: string): AsyncGenerator<string[]> {
  let after: [string, string] | undefined;
  do {
    const rows = await pageOf(client, tenantId, after);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    const last = rows.at(-1);
    after = last && rows.length === PAGE_ROWS ? [last.at, last.id] : undefined;
  } while (after);
}

async function pageOf(client: Client, tenantId: string, after: [string, string] | undefined) {
  const { rows } = await asTenant(client, tenantId, async (as) => {
    await as('plat_audit_owner');
    return client.query<{ line: string; at: string; id: string }>(
      `SELECT to_jsonb(e)::text AS line, e.created_at::text AS at, e.audit_event_id AS id FROM audit.audit_events e
        WHERE e.tenant_id = $1 AND ($2::text IS NULL OR (e.created_at, e.audit_event_id) > ($2::timestamptz, $3::uuid))
        ORDER BY e.created_at, e.audit_event_id LIMIT ${PAGE_ROWS}`,
      [tenantId, ...(after ?? [null, null])],
    );
  });
  return rows;
}

/** The summary of an export; null for another file, undefined if there is none. */
async function readSummary(file: string): Promise<Summary | null | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, SUMMARY_BYTES_MAX));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const start = tail.lastIndexOf('\n', tail.length - 2) + 1;
    const summary = JSON.parse(tail.toString('utf8', start)) as Summary;
    const digest = await digestOf(handle, size - (tail.length - start));
    return summary.sha256 === digest ? summary : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  } finally {
    await handle.close();
  }
}

/** The SHA-256 of the first bytes of a file, which may be larger than the memory. */
async function digestOf(handle: FileHandle, bytes: number): Promise<string> {
  const digest = createHash('sha256');
  const piece = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < bytes;) {
    const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, bytes - at), at);
    if (bytesRead === 0) break;
    digest.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return digest.digest('hex');
}

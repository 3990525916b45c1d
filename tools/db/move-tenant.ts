import { cancelMove, type Cells, finishMove, moveTenant, withOwner } from '@plat/database';
import { readOperand } from './arguments';
import type { DatabaseJob } from './commands';
import { UsageError } from './failure';
import { ownerUrlOf } from './owner-url';

type Environment = DatabaseJob['environment'];

export const MOVE_TENANT_USAGE = `npm run db -- move-tenant NAME --to https://api.of.the.new.cell
  moves the tenant from DATABASE_URL to TARGET_DATABASE_URL; its requests are refused for seconds at the end
npm run db -- move-tenant NAME --cancel
  ends a move before its switch; the old cell serves on, and the rows in the new one are deleted
npm run db -- move-tenant NAME --finish
  deletes the rows of a tenant that has moved from the old cell
Each may be killed at any moment and run again. REPLICATION_URL is how the new cell's PostgreSQL reaches the old one,
as a role with REPLICATION and BYPASSRLS that is a member of pg_read_all_data; default: DATABASE_URL. DATABASE_CA_FILE has
the authorities of both cells, unless TARGET_DATABASE_URL has an sslmode of its own.`;

/** Moves a tenant between cells, or ends a move. */
export async function runMoveTenant(job: DatabaseJob, args: string[]): Promise<void> {
  const { operand: name, values } = readOperand(args, {
    options: { to: { type: 'string' }, cancel: { type: 'boolean' }, finish: { type: 'boolean' } },
    usage: MOVE_TENANT_USAGE,
  });
  const { to: apiUrl, cancel = false, finish = false } = values;
  if ([apiUrl !== undefined, cancel, finish].filter(Boolean).length !== 1) {
    throw new UsageError(MOVE_TENANT_USAGE);
  }
  if (apiUrl !== undefined) expectApiUrl(apiUrl);
  await withCells(job, async (cells) => {
    if (cancel) {
      await cancelMove(cells, name);
      return job.print(`The move of ${name} is cancelled; the old cell serves it.`);
    }
    if (finish) {
      await finishMove(cells, name);
      return job.print(`The rows of ${name} are deleted from the old cell.`);
    }
    const refusedMs = await moveTenant(cells, name, { apiUrl: apiUrl!, onStep: job.print });
    job.print(describeMove(name, apiUrl!, refusedMs));
    job.print(`When no one calls the old cell any more: move-tenant ${name} --finish`);
  });
}

/** A run that finds the switch made does not know how long the run before it has refused requests. */
export function describeMove(name: string, apiUrl: string, refusedMs: number): string {
  const pause =
    refusedMs === 0
      ? 'an earlier run has made the switch'
      : `its requests were refused for ${Math.ceil(refusedMs)} ms`;
  return `The tenant ${name} is served at ${apiUrl}; ${pause}.`;
}

/** Callers are sent there, so it is https or this machine. */
function expectApiUrl(apiUrl: string): void {
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined;
  const local = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.username || url?.password || (url?.protocol !== 'https:' && !local)) {
    throw new UsageError(
      '--to must be the https address of the API of the new cell, without a user or password.',
    );
  }
}

/**
 * The new cell's address. DATABASE_CA_FILE has the authorities of both cells, unless the address has an sslmode of its own.
 */
export function targetUrlOf({ TARGET_DATABASE_URL: url = '', DATABASE_CA_FILE }: Environment): string {
  const authorities = /[?&]ssl/.test(url) ? undefined : DATABASE_CA_FILE;
  return ownerUrlOf({ DATABASE_URL: url, DATABASE_CA_FILE: authorities }, 'TARGET_DATABASE_URL');
}

function withCells(job: DatabaseJob, work: (cells: Cells) => Promise<void>): Promise<void> {
  // The job's own URL may name files of this machine.
  const { DATABASE_URL: own = job.ownerUrl, REPLICATION_URL: replicationUrl = own } = job.environment;
  const targetUrl = targetUrlOf(job.environment);
  return withOwner(job.ownerUrl, (from) => withOwner(targetUrl, (to) => work({ from, to, replicationUrl })));
}

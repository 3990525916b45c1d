import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { startStandalone } from '@plat/testing';
import { progress, root } from '../part';
import { makePastPartitions } from './past-partitions';
import { Person } from './person';
import { readSealedSize } from './sealing';
import { TRAIL_DAYS, type TrailOwner, writeTrail } from './trail';

const LOOK_MS = 50;

/** A command of the client, from start to end. */
export interface Command {
  name: string;
  seconds: number;
  /** Most resident memory, in bytes; NaN if the system does not report it. */
  peakBytes: number;
}

/** The report of `npm start`. */
interface Report {
  apiUrl: string;
  databaseUrl: string;
  accounts: Record<string, TrailOwner & { token: string }>;
}

/** Exports a log of so many rows from a platform as `npm start` runs it, and verifies the export, as a person does. */
export async function measureClient(folder: string, rows: number, signal: AbortSignal): Promise<Command[]> {
  progress('starting a platform for the client');
  const platform = await startStandalone<Report>({ folder });
  try {
    const { apiUrl, databaseUrl, accounts } = platform.report;
    const alice = accounts.alice!;
    const key = await fillLog({ databaseUrl, apiUrl, alice, rows, signal });
    const person = await Person.create(folder, await buildClient());
    await person.signIn(apiUrl);
    const exported = join(folder, 'exported');
    const commands: Command[] = [];
    for (const args of [
      ['audit', 'export', exported],
      ['audit', 'verify', exported, '--key', key],
    ]) {
      signal.throwIfAborted();
      progress(`running plat ${args[0]} ${args[1]}`);
      commands.push(await runTimed(person, args));
    }
    return commands;
  } finally {
    await platform.stop();
  }
}

interface Filling {
  databaseUrl: string;
  apiUrl: string;
  alice: Report['accounts'][string];
  rows: number;
  signal: AbortSignal;
}

/** Fills a log, and waits until it is signed. @returns its public key as a verifier takes it */
async function fillLog({ databaseUrl, apiUrl, alice, rows, signal }: Filling): Promise<string> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await makePastPartitions(owner, 'audit.audit_events', TRAIL_DAYS);
    progress(`writing and sealing ${rows} rows`);
    await writeTrail(owner, alice, { from: 0, until: rows, of: rows });
    await owner.query('ANALYZE');
    while ((await readSealedSize(owner, alice.tenantId)) < rows) {
      await delay(LOOK_MS * 10, undefined, { signal });
    }
    const headers = { authorization: `Bearer ${alice.token}` };
    const answer = await fetch(`${apiUrl}/v1/audit-log/keys`, { headers });
    const { keys } = (await answer.json()) as { keys: { verifierKey: string }[] };
    return keys[0]!.verifierKey;
  } finally {
    await owner.end();
  }
}

async function runTimed(person: Person, args: string[]): Promise<Command> {
  const startedAt = performance.now();
  let peakBytes = NaN;
  let watching: NodeJS.Timeout | undefined;
  const look = async (pid: number): Promise<void> => {
    const bytes = await peakResidentBytes(pid);
    if (!Number.isNaN(bytes)) peakBytes = bytes;
  };
  try {
    await person.plat(args, {
      onStart: (pid) => (watching = setInterval(() => void look(pid), LOOK_MS)),
    });
  } finally {
    clearInterval(watching);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { name: `plat ${args.slice(0, 2).join(' ')}`, seconds, peakBytes };
}

/** Most resident memory of a process so far, in bytes; NaN if the system does not report it. */
async function peakResidentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1024;
}

/** Imports the recipe from the repository at run time, because it is not part of this bundle. */
async function buildClient(): Promise<string> {
  const recipe = pathToFileURL(join(root, 'apps/plat/build.mjs')).href;
  return ((await import(recipe)) as { freshPlat(): Promise<string> }).freshPlat();
}

import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from '@plat/api-client';
import { NOTE_BYTES_MAX } from '@plat/ledger';
import { FileRefused, makePrivateFolder, readRegularFile, writePrivateFile } from '@plat/local';
import { withFileLock } from '../config/file-lock';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { demandConsistency } from './demand-consistency';
import { tenantOf } from './log-layout';
import { readCheckpoint, type SignedCheckpoint, type VerifiedCheckpoint } from './signed-checkpoint';

/**
 * The largest checkpoint of this log that this machine has verified; undefined if it has verified none.
 *
 * @throws Failure CHECKPOINT_MEMORY_DAMAGED
 */
export async function readRememberedCheckpoint(
  configFolder: string,
  origin: string,
): Promise<SignedCheckpoint | undefined> {
  const path = memoryPath(configFolder, origin);
  const remembered = readMemory(path);
  if (remembered === undefined || remembered.origin === origin) return remembered;
  throw damaged(path, 'it is of another log');
}

function readMemory(path: string): SignedCheckpoint | undefined {
  try {
    return readCheckpoint(readRegularFile(path, { bytesMax: NOTE_BYTES_MAX }));
  } catch (error) {
    if (error instanceof FileRefused && error.fault === 'absent') return undefined;
    throw damaged(path, error instanceof FileRefused ? `it ${error.message}.` : (error as Error).message);
  }
}

/** A machine without a home has a file in the place of a folder. */
const isAbsent = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT' || code === 'ENOTDIR';

/**
 * The checkpoints that this machine remembers, one a log.
 *
 * @throws Failure CHECKPOINT_MEMORY_DAMAGED
 */
export async function readRememberedLogs(configFolder: string): Promise<SignedCheckpoint[]> {
  const folder = join(configFolder, FOLDER);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (isAbsent(error)) return [];
    throw damaged(folder, error.message);
  });
  const notes = names.filter((name) => NAME.test(name)).map((name) => readMemory(join(folder, name)));
  return notes.filter((note) => note !== undefined);
}

/**
 * Demands that a checkpoint continues the one that this machine remembers of its log, or the other way round if it is the
 * smaller one, by a proof of the platform. The larger of the two is remembered then; the first one always is. Nothing is
 * remembered that contradicts what is.
 *
 * @param checkpoint its signature has been verified
 * @returns what was remembered before
 * @throws Failure LOG_CONTRADICTS with exit code 3, CHECKPOINT_MEMORY_DAMAGED, LOCKED
 */
export async function checkConsistent(
  configFolder: string,
  api: ApiClient,
  checkpoint: VerifiedCheckpoint,
): Promise<SignedCheckpoint | undefined> {
  await demandSameName(configFolder, checkpoint);
  for (;;) {
    const remembered = await readRememberedCheckpoint(configFolder, checkpoint.origin);
    if (remembered) await demandConsistency(api, { remembered, shown: checkpoint });
    const isLarger = remembered === undefined || checkpoint.size > remembered.size;
    if (!isLarger) return remembered;
    // The proof is not under the lock: a slow platform would keep every other command of this machine waiting.
    if (await replace(configFolder, { remembered, by: checkpoint })) return remembered;
  }
}

/** A tenant has one log, and its name never changes: under another name it would not be compared with what is remembered. */
async function demandSameName(configFolder: string, { origin, note }: SignedCheckpoint): Promise<void> {
  const remembered = await readRememberedLogs(configFolder);
  const tenant = /\/log\/[^/]+$/.exec(origin)?.[0];
  const other = remembered.find((one) => one.origin !== origin && tenant && one.origin.endsWith(tenant));
  if (other === undefined) return;
  throw new Failure(
    'LOG_CONTRADICTS',
    `The tenant's sealed log was ${other.origin} before, and this client is now shown ${origin}.`,
    {
      exitCode: ExitCode.contradicts,
      details: { origin, remembered: other.note, shown: note },
      next: 'keep both checkpoints (--json shows them), and ask the administrator of the platform why there are two logs',
    },
  );
}

/**
 * Demands that this machine remembers no log of a tenant of which the platform shows none: a log never becomes empty again.
 *
 * @param askTenant is called if this machine remembers any log
 * @throws Failure LOG_CONTRADICTS with exit code 3, CHECKPOINT_MEMORY_DAMAGED
 */
export async function demandNoneRemembered(
  configFolder: string,
  askTenant: () => Promise<string>,
): Promise<void> {
  const logs = await readRememberedLogs(configFolder);
  const tenantId = logs.length === 0 ? undefined : await askTenant();
  const remembered = logs.find(({ origin }) => tenantOf(origin) === tenantId);
  if (remembered === undefined) return;
  throw new Failure(
    'LOG_CONTRADICTS',
    `The sealed log ${remembered.origin} had ${remembered.size} entries before, and the platform shows none now.`,
    {
      exitCode: ExitCode.contradicts,
      details: { origin: remembered.origin, remembered: remembered.note },
      next: 'keep the checkpoint (--json shows it), and ask the administrator of the platform what became of the log',
    },
  );
}

/** @returns false if another process has remembered another checkpoint meanwhile */
async function replace(
  configFolder: string,
  { remembered, by }: { remembered: SignedCheckpoint | undefined; by: SignedCheckpoint },
): Promise<boolean> {
  const path = memoryPath(configFolder, by.origin);
  await makePrivateFolder(join(configFolder, FOLDER));
  return withFileLock(`${path}.lock`, async () => {
    const current = await readRememberedCheckpoint(configFolder, by.origin);
    if (current?.note !== remembered?.note) return false;
    await writePrivateFile(path, by.note);
    return true;
  });
}

const FOLDER = 'checkpoints';
/** The name of a file that holds a checkpoint. Its folder also has locks and files that are being written. */
const NAME = /^[0-9a-f]{32}$/;

/** The same for each alias: a log that two aliases reach is one log. */
function memoryPath(configFolder: string, origin: string): string {
  return join(configFolder, FOLDER, createHash('sha256').update(origin).digest('hex').slice(0, 32));
}

const damaged = (path: string, reason: string): Failure =>
  new Failure(
    'CHECKPOINT_MEMORY_DAMAGED',
    `${path}, which this client remembers a log by, cannot be read: ${reason}`,
    {
      details: { path },
      next: nextStep(
        'put the file back from a backup; rm',
        [path],
        'only if what the log was before does not matter to you',
      ),
    },
  );

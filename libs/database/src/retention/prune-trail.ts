import type { Client } from 'pg';
import type { LockPatience } from '../connections/short-locks';
import { dataFile } from './export-files';
import { expectExportable, expectFolder, exportPartition } from './export-partition';
import { RetentionFault } from './retention-fault';
import { expectSealed, MARKED_ROWS, markEntries, settleLateRows } from './sealed-partitions';
import {
  countPartition,
  detachPartition,
  dropPartition,
  makeEarlyPartition,
  type PartitionRows,
  prunablePartitions,
  PRUNE_PATIENCE,
  type TrailPartition,
} from './trail-partitions';

/** A step that is taken, or would be taken, with a partition. */
export type TrailStep =
  | { what: 'goes' | 'exported'; partition: string; file: string; held?: PartitionRows }
  | { what: 'dropped'; partition: string }
  | { what: 'stays'; partition: string; obstacle: string };

export interface TrailPruning {
  /** A time of PostgreSQL's: partitions that end before it go. */
  before: string;
  /** A folder that exists. */
  folder: string;
  onStep(step: TrailStep): void;
  patience?: LockPatience;
  /** How many entries of sealed logs are marked in one transaction; for tests. */
  markedRows?: number;
}

/** Reports which partitions of the trail would go, with their rows, and which would stay. Changes nothing. */
export async function lookAtTrail(
  client: Client,
  { before, onStep }: Pick<TrailPruning, 'before' | 'onStep'>,
): Promise<void> {
  const partitions = await prunablePartitions(client, before);
  for (const partition of goingOf(partitions)) {
    if (!partition.written) continue;
    const { name, state, exportName } = partition;
    // A partition that an interrupted prune has detached hides its rows from a session that only reads.
    const held = state === 'attached' ? await countPartition(client, partition) : undefined;
    onStep({ what: 'goes', partition: name, file: dataFile(exportName), held });
  }
  reportStaying(partitions, onStep);
}

/**
 * Exports the partitions of the trail that end before a moment, the oldest first, and drops each after its export was
 * verified. Others read and write meanwhile. It may be killed at any moment and run again.
 *
 * @throws RetentionFault if the folder is none, has other files of these names, rows are not sealed, or a lock is not had
 */
export async function pruneTrail(client: Client, pruning: TrailPruning): Promise<void> {
  const { folder, onStep, patience = PRUNE_PATIENCE } = pruning;
  await expectFolder(folder);
  const partitions = await prunablePartitions(client, pruning.before);
  const going = goingOf(partitions);
  // Before anything is done, so that a fault in the tenth month does not come up after nine.
  for (const partition of going) {
    await expectExportable(client, partition, folder);
    await expectSealed(client, partition);
  }
  try {
    for (const partition of going) await prunePartition(client, partition, pruning);
  } catch (error) {
    await makeEarlyPartition(client, patience).catch(() => undefined);
    throw error;
  }
  await makeEarlyPartition(client, patience);
  reportStaying(partitions, onStep);
}

/** The partition before the first month is renewed with the months after it; alone and empty it stays. */
function goingOf(partitions: TrailPartition[]): TrailPartition[] {
  const going = partitions.filter(({ obstacle }) => obstacle === undefined);
  const isIdle = ({ name, written, state }: TrailPartition): boolean =>
    name === 'audit_events_early' && !written && state === 'attached';
  return going.every(isIdle) ? [] : going;
}

function reportStaying(partitions: TrailPartition[], onStep: TrailPruning['onStep']): void {
  for (const { name, obstacle } of partitions) {
    if (obstacle !== undefined) onStep({ what: 'stays', partition: name, obstacle });
  }
}

async function prunePartition(
  client: Client,
  partition: TrailPartition,
  { folder, onStep, patience = PRUNE_PATIENCE, markedRows = MARKED_ROWS }: TrailPruning,
): Promise<void> {
  let { state } = partition;
  const detach = async (): Promise<void> => {
    await detachPartition(client, { ...partition, state }, patience);
    state = 'detached';
  };
  const save = async (fresh = false): Promise<void> => {
    if (!partition.written) return;
    const { first, last, rows, file } = await exportPartition(
      client,
      { ...partition, state },
      { folder, fresh },
    );
    const held = { rows, oldest: first?.at, newest: last?.at };
    onStep({ what: 'exported', partition: partition.name, file, held });
  };
  await expectSealed(client, partition);
  // No statement reads a half-detached partition, not even that of the export.
  if (state === 'detaching') await detach();
  await save();
  const marking = { patience, markedRows };
  if (state === 'attached') {
    // The entries about the rows are marked as erased before the rows go, so that an erasure explains each missing row.
    if (partition.written) await markEntries(client, partition, marking);
    await detach();
  }
  // A row may have come since, and a sealer does not see what is detached.
  await settleLateRows(client, partition, marking);
  if (!(await dropPartition(client, partition, patience))) {
    // A row that came between the export and the end of the partition is exported too.
    await save(true);
    if (!(await dropPartition(client, partition, patience))) {
      throw new RetentionFault(`audit.${partition.name} differs from its export, and is kept.`);
    }
  }
  onStep({ what: 'dropped', partition: partition.name });
}

import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import {
  dataFile,
  EXPORT_FORMAT,
  finish,
  type Manifest,
  manifestFile,
  readManifest,
  type RowPlace,
  sumFile,
  unfinished,
  writeLines,
  writeManifest,
} from './export-files';
import { readPartition, type TrailRow } from './read-partition';
import { RetentionFault } from './retention-fault';
import { asTrailOwner, countPartition, type TrailPartition } from './trail-partitions';

/** @throws RetentionFault if it is not a folder that exists */
export async function expectFolder(folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  // It is not made here: a disk that is not mounted must not be missed.
  if (!isFolder) {
    throw new RetentionFault(`${folder} is no directory: make it, or mount the disk of the exports.`);
  }
}

/** @throws RetentionFault if the folder has another file of the name of the partition's export */
export async function expectExportable(
  client: Client,
  partition: TrailPartition,
  folder: string,
): Promise<void> {
  const { name } = await databaseOf(client);
  await findExport(folder, partition, name);
}

/**
 * Exports a partition, reads the export back, compares it with the partition, and records it in the database. An export
 * that an interrupted prune has finished is taken as it is, unless `fresh`.
 *
 * @throws RetentionFault if the folder has another file of that name, or the export is not what the partition holds
 */
export async function exportPartition(
  client: Client,
  partition: TrailPartition,
  { folder, fresh = false }: { folder: string; fresh?: boolean },
): Promise<Manifest> {
  const file = join(folder, dataFile(partition.exportName));
  const database = await databaseOf(client);
  const present = await findExport(folder, partition, database.name);
  const { rows } = await countPartition(client, partition);
  const serves = present !== undefined && !fresh && present.rows === rows && (await isIntact(file, present));
  const manifest = serves ? present : await writeExport(client, partition, { folder, database });
  await record(client, partition, manifest);
  return manifest;
}

/** The manifest of an export of this partition that is there already. @throws RetentionFault for anything else */
async function findExport(
  folder: string,
  { exportName, covers }: TrailPartition,
  database: string,
): Promise<Manifest | undefined> {
  const manifest = await readManifest(folder, exportName);
  const other = (file: string) =>
    new RetentionFault(
      `${join(folder, file)} exists, and is no export of these rows of this database: name another directory.`,
    );
  if (manifest === undefined) {
    if (await exists(join(folder, dataFile(exportName)))) throw other(dataFile(exportName));
    return undefined;
  }
  if (manifest === null || manifest.database !== database || manifest.covers !== covers) {
    throw other(manifestFile(exportName));
  }
  return manifest;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Whether the file next to a manifest is what it says. */
async function isIntact(file: string, manifest: Manifest): Promise<boolean> {
  try {
    const { fileSha256, sha256, rows, digest } = await sumFile(file);
    return (
      fileSha256 === manifest.fileSha256 &&
      sha256 === manifest.sha256 &&
      rows === manifest.rows &&
      digest === manifest.digest
    );
  } catch (error) {
    // It is missing or damaged, and is written again.
    if (error instanceof RetentionFault) return false;
    throw error;
  }
}

async function writeExport(
  client: Client,
  partition: TrailPartition,
  { folder, database }: { folder: string; database: DatabaseFacts },
): Promise<Manifest> {
  const { exportName: name } = partition;
  const file = join(folder, dataFile(name));
  const places = await writeRows(client, partition, file);
  const { rows, ...sums } = await sumFile(unfinished(file));
  if (rows !== places.rows) {
    throw new RetentionFault(
      `${file} has ${rows} rows, and ${places.rows} were written: the disk may be faulty.`,
    );
  }
  const manifest: Manifest = {
    format: EXPORT_FORMAT,
    file: dataFile(name),
    rows,
    ...sums,
    database: database.name,
    schemaVersion: database.schemaVersion,
    partition: partition.name,
    covers: partition.covers,
    first: places.first,
    last: places.last,
    exportedAt: new Date().toISOString(),
  };
  await writeManifest(join(folder, manifestFile(name)), manifest);
  await finish(folder, name);
  return manifest;
}

interface Places {
  rows: number;
  first?: RowPlace;
  last?: RowPlace;
}

async function writeRows(client: Client, partition: TrailPartition, file: string): Promise<Places> {
  const places: Places = { rows: 0 };
  const note = ({ at, id }: TrailRow): void => {
    places.rows += 1;
    if (places.first === undefined || at < places.first.at) places.first = { at, id };
    if (places.last === undefined || at >= places.last.at) places.last = { at, id };
  };
  await writeLines(file, linesOf(client, partition, note));
  return places;
}

/** The lines of a partition as the compression takes them. */
async function* linesOf(
  client: Client,
  partition: TrailPartition,
  onRow: (row: TrailRow) => void,
): AsyncGenerator<string> {
  for await (const rows of readPartition(client, partition)) {
    rows.forEach(onRow);
    yield rows.map(({ line }) => `${line}\n`).join('');
  }
}

/** @throws RetentionFault if the partition has other rows than the export by now */
async function record(client: Client, partition: TrailPartition, manifest: Manifest): Promise<void> {
  const { rows } = await countPartition(client, partition);
  if (rows !== manifest.rows) {
    throw new RetentionFault(
      `audit.${partition.name} has ${rows} rows, and its export ${manifest.rows}. Nothing of it was removed. ` +
        `If they differ again, rows belong to a tenant that identity.tenants does not have.`,
    );
  }
  await asTrailOwner(client, () =>
    client.query('SELECT audit.record_export($1, $2, $3, $4, $5, $6)', [
      partition.name,
      partition.exportName,
      partition.covers,
      manifest.rows,
      manifest.digest,
      manifest.sha256,
    ]),
  );
}

interface DatabaseFacts {
  name: string;
  schemaVersion: string;
}

async function databaseOf(client: Client): Promise<DatabaseFacts> {
  const { rows } = await client.query<DatabaseFacts>(
    `SELECT format('%s/%s', (SELECT system_identifier FROM pg_control_system()), current_database()) AS name,
            (SELECT version FROM identity.schema_version()) AS "schemaVersion"`,
  );
  return rows[0]!;
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { LineSums, type Sums } from './line-sums';
import { RetentionFault } from './retention-fault';

/** The form of a manifest and of its data file. */
export const EXPORT_FORMAT = 'plat-trail/1';

/** A row of an export by its place in time. */
export interface RowPlace {
  at: string;
  id: string;
}

/** The description of a data file, `<name>.ndjson.gz`: a row a line as a JSON object, by tenant and time. */
export interface Manifest extends Sums {
  format: typeof EXPORT_FORMAT;
  /** The file's name. */
  file: string;
  /** The SHA-256 of the file as it is stored, in hex. */
  fileSha256: string;
  /** Keyed by PostgreSQL's system identifier and name: rows of another database are other rows. */
  database: string;
  /** The newest migration of the database. */
  schemaVersion: string;
  partition: string;
  /** The range of `created_at`. */
  covers: string;
  /** The first row of all tenants; absent if there is no row. */
  first?: RowPlace;
  last?: RowPlace;
  exportedAt: string;
}

export const dataFile = (name: string): string => `${name}.ndjson.gz`;
export const manifestFile = (name: string): string => `${name}.manifest.json`;

/** Writes lines to `<file>.unfinished`, compressed, with mode 0600, and syncs it. */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  await writeUnfinished(file, async (handle) => {
    await pipeline(lines, createGzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await handle.writeFile(chunk);
    });
  });
}

/** Writes a manifest to `<file>.unfinished`. */
export async function writeManifest(file: string, manifest: Manifest): Promise<void> {
  await writeUnfinished(file, (handle) => handle.writeFile(`${JSON.stringify(manifest, undefined, 2)}\n`));
}

async function writeUnfinished(
  file: string,
  write: (handle: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  // A killed command may have left the file. `wx` follows no link.
  await rm(unfinished(file), { force: true });
  const handle = await open(unfinished(file), 'wx', 0o600);
  try {
    await write(handle);
    await handle.sync();
  } catch (error) {
    // A full disk stays no fuller than it was.
    await rm(unfinished(file), { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

export const unfinished = (file: string): string => `${file}.unfinished`;

/** Gives both files of an export their names, durably. The manifest comes first: a file without one is not ours. */
export async function finish(folder: string, name: string): Promise<void> {
  for (const file of [manifestFile(name), dataFile(name)]) {
    await rename(unfinished(join(folder, file)), join(folder, file));
    await syncFolder(folder);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The manifest of an export; null if the file is no manifest, undefined if there is none. */
export async function readManifest(folder: string, name: string): Promise<Manifest | null | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, manifestFile(name)), 'utf8')) as Manifest | null;
    return manifest?.format === EXPORT_FORMAT ? manifest : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads a file of lines to its end. @throws RetentionFault if it is damaged */
export async function sumFile(file: string): Promise<Sums & { fileSha256: string }> {
  const [sums, hash] = [new LineSums(), createHash('sha256')];
  let rest: Buffer = Buffer.alloc(0);
  const hashed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(file), hashed, createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        rest = Buffer.concat([rest, chunk]);
        let start = 0;
        for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
          sums.add(rest.subarray(start, end));
          start = end + 1;
        }
        rest = rest.subarray(start);
      }
    });
  } catch (error) {
    throw new RetentionFault(`${file} cannot be read back: ${(error as Error).message}`, { cause: error });
  }
  if (rest.length > 0) throw new RetentionFault(`${file} cannot be read back: its last line has no end`);
  return { ...sums.end(), fileSha256: hash.digest('hex') };
}

import { isUtf8 } from 'node:buffer';
import { type ApiClient, type AuditLogEntryPage, listAuditLogEntries } from '@plat/api-client';
import {
  type Bundle,
  bundlesOf,
  decodeEntries,
  type Disclosure,
  logPath,
  parseBase64,
  parseDisclosure,
  SALT_BYTES,
  TILE_WIDTH,
} from '@plat/ledger';
import { Altered } from './altered';
import type { ExportFolder } from './export-folder';

/** Bundles that one request asks for: 1,024 entries, as many as the platform gives at once. */
const BUNDLES_A_REQUEST = 4;

/** An entry that is exported. */
export interface ExportedEntry {
  bytes: Buffer;
  shown: Disclosure['shown'];
}

/** Bundles of a log, from the folder or from the platform. */
export interface Portion {
  bundles: readonly Bundle[];
  entries: readonly ExportedEntry[];
  /** Who says that these are the entries. */
  from: 'folder' | 'platform';
  /** Whether the folder has these bundles already. */
  isKept: boolean;
}

export interface ExportSource {
  api: ApiClient;
  folder: ExportFolder;
  size: number;
  /** Asks the platform for the entries that the folder has, too. */
  recheck: boolean;
  /** Indexes of bundles that the folder does not have as they are to be. */
  lacking: ReadonlySet<number>;
}

/**
 * The portions of a log in their order, each to be read when its turn comes. Bundles that the folder has are not fetched
 * again unless asked to. One that was partial and has grown since is another bundle.
 */
export async function* portionsOf(source: ExportSource): AsyncGenerator<() => Promise<Portion>> {
  let wanted: Bundle[] = [];
  let areKept = false;
  const fetchWanted = () => {
    const [bundles, isKept] = [wanted, areKept];
    wanted = [];
    return () => fetchPortion(source, bundles, isKept);
  };
  for (const bundle of bundlesOf(source.size)) {
    const kept = source.lacking.has(bundle.index) ? undefined : await readKeptPortion(source.folder, bundle);
    const isRead = kept !== undefined && !source.recheck;
    if (wanted.length > 0 && (isRead || areKept !== (kept !== undefined))) yield fetchWanted();
    if (isRead) yield () => Promise.resolve(kept);
    else wanted.push(bundle);
    areKept = kept !== undefined;
    if (wanted.length === BUNDLES_A_REQUEST) yield fetchWanted();
  }
  if (wanted.length > 0) yield fetchWanted();
}

/** @returns undefined unless the folder has the bundle, readable: a loss of power may leave empty files */
async function readKeptPortion(folder: ExportFolder, bundle: Bundle): Promise<Portion | undefined> {
  const [entries, disclosed] = await Promise.all([
    folder.read(logPath({ kind: 'entries', ...bundle })),
    folder.read(logPath({ kind: 'disclosed', ...bundle })),
  ]);
  if (!entries || !disclosed || !isUtf8(disclosed)) return undefined;
  try {
    const leaves = decodeEntries(entries, bundle.width);
    const lines = disclosed.toString('utf8').split('\n');
    if (lines.pop() !== '' || lines.length !== bundle.width) return undefined;
    const shown = lines.map(parseDisclosure);
    return {
      bundles: [bundle],
      entries: leaves.map((bytes, at) => ({ bytes, shown: shown[at]!.shown })),
      from: 'folder',
      isKept: true,
    };
  } catch {
    return undefined;
  }
}

async function fetchPortion(
  { api, folder, lacking }: ExportSource,
  bundles: readonly Bundle[],
  isKept: boolean,
): Promise<Portion> {
  const first = bundles[0]!.index * TILE_WIDTH;
  const count = bundles.reduce((sum, { width }) => sum + width, 0);
  const entries: ExportedEntry[] = [];
  while (entries.length < count) {
    const query = { from: `${first + entries.length}`, limit: `${count - entries.length}` };
    const page = await listAuditLogEntries(api, { query });
    if (page.entries.length === 0) throw new Altered(`Entry ${query.from} is missing.`, Number(query.from));
    for (const entry of page.entries) entries.push(exported(entry, first + entries.length));
  }
  const fetched = { bundles, entries: entries.slice(0, count), from: 'platform', isKept } as const;
  return bundles.some(({ index }) => lacking.has(index)) ? withKeptFields(folder, fetched) : fetched;
}

/** Adds the fields that the folder shows and the platform withholds, because the portion replaces what the folder has. */
async function withKeptFields(folder: ExportFolder, fetched: Portion): Promise<Portion> {
  const kept = await Promise.all(fetched.bundles.map((bundle) => readKeptPortion(folder, bundle)));
  const entries = fetched.bundles.flatMap(({ width }, at) =>
    Array.from({ length: width }, (_, place) => kept[at]?.entries[place]),
  );
  return {
    ...fetched,
    entries: fetched.entries.map((entry, at) => {
      const former = entries[at];
      return entry.shown === undefined && former?.bytes.equals(entry.bytes) ? former : entry;
    }),
  };
}

function exported(
  { index, leaf, salt, fields }: AuditLogEntryPage['entries'][number],
  expected: number,
): ExportedEntry {
  if (index !== expected) {
    throw new Altered(`Entry ${expected} is missing: entry ${index} is in its place.`, expected);
  }
  const bytes = Buffer.from(leaf);
  if (salt === undefined && fields === undefined) return { bytes, shown: undefined };
  const saltBytes = parseBase64(salt ?? '', SALT_BYTES);
  if (saltBytes === undefined || fields === undefined) {
    throw new Altered(`Entry ${index} shows its fields without a salt, or a salt without fields.`, index);
  }
  return { bytes, shown: { salt: saltBytes, fields } };
}

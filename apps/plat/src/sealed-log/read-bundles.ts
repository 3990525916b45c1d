import { isUtf8 } from 'node:buffer';
import {
  type Bundle,
  bundlesOf,
  type Disclosure,
  HASH_BYTES,
  leafHash,
  logPath,
  parseDisclosure,
  TILE_WIDTH,
} from '@plat/ledger';
import { Altered } from './altered';
import type { ReadEntry } from './log-checks';
import type { LogFolder } from './log-folder';

const LENGTH_BYTES = 2;
const NEWLINE = 0x0a;

/**
 * Reads the entries of an exported log in their order, and compares each with its hash in the lowest tile. The bundle as a
 * whole is judged only after its entries, so that the first wrong entry is named.
 *
 * @throws Altered
 */
export async function* readBundles(folder: LogFolder, size: number): AsyncGenerator<ReadEntry> {
  for (const bundle of bundlesOf(size)) yield* entriesOf(await readBundle(folder, bundle), bundle);
}

interface BundleFiles {
  entries: Buffer;
  disclosed: Buffer;
  hashes: Buffer;
  paths: Record<'entries' | 'disclosed' | 'hashes', string>;
}

async function readBundle(folder: LogFolder, bundle: Bundle): Promise<BundleFiles> {
  const paths = {
    entries: logPath({ kind: 'entries', ...bundle }),
    disclosed: logPath({ kind: 'disclosed', ...bundle }),
    hashes: logPath({ kind: 'tile', level: 0, ...bundle }),
  };
  const read = async (path: string): Promise<Buffer> => {
    const content = await folder.read(path);
    if (content) return content;
    throw new Altered(`The file ${path} is missing.`, bundle.index * TILE_WIDTH);
  };
  const [entries, disclosed, hashes] = await Promise.all([
    read(paths.entries),
    read(paths.disclosed),
    read(paths.hashes),
  ]);
  return { entries, disclosed, hashes, paths };
}

function* entriesOf(
  { entries, disclosed, hashes, paths }: BundleFiles,
  bundle: Bundle,
): Generator<ReadEntry> {
  const first = bundle.index * TILE_WIDTH;
  let [entryAt, lineAt] = [0, 0];
  for (let place = 0; place < bundle.width; place += 1) {
    const index = first + place;
    const bytes = entryFrom(entries, entryAt);
    if (bytes === undefined) {
      throw new Altered(`The file ${paths.entries} ends within entry ${index}.`, index);
    }
    const hash = leafHash(bytes);
    const expected = hashes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
    if (!hash.equals(expected)) {
      throw new Altered(`Entry ${index} is not the one whose hash ${paths.hashes} has.`, index);
    }
    const lineEnd = disclosed.indexOf(NEWLINE, lineAt);
    if (lineEnd < 0) {
      throw new Altered(`The file ${paths.disclosed} ends within the line of entry ${index}.`, index);
    }
    const shown = shownIn(disclosed.subarray(lineAt, lineEnd), index);
    [entryAt, lineAt] = [entryAt + LENGTH_BYTES + bytes.length, lineEnd + 1];
    yield { bytes, hash, shown };
  }
  demandEnd(paths.entries, entries.length > entryAt, first);
  demandEnd(paths.disclosed, disclosed.length > lineAt, first);
  demandEnd(paths.hashes, hashes.length > bundle.width * HASH_BYTES, first);
}

/** @returns undefined if the file ends before */
function entryFrom(bundle: Buffer, at: number): Buffer | undefined {
  const start = at + LENGTH_BYTES;
  if (start > bundle.length) return undefined;
  const end = start + bundle.readUInt16BE(at);
  return end > bundle.length ? undefined : bundle.subarray(start, end);
}

function shownIn(line: Buffer, index: number): Disclosure['shown'] {
  const disclosure = isUtf8(line) ? readLine(line.toString('utf8')) : undefined;
  if (disclosure?.index === index) return disclosure.shown;
  throw new Altered(`The line about entry ${index} does not disclose that entry.`, index);
}

function readLine(line: string): Disclosure | undefined {
  try {
    return parseDisclosure(line);
  } catch {
    return undefined;
  }
}

function demandEnd(path: string, goesOn: boolean, first: number): void {
  if (goesOn) throw new Altered(`The file ${path} goes on after its last entry.`, first);
}

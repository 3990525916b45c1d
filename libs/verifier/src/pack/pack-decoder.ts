import { createHash } from 'node:crypto';
import type { Budget } from '../budget';
import { unreadable } from '../remote-failure';
import { type Commit, parseCommit } from './commit';
import { DecodedPack, type PackedObject } from './decoded-pack';
import { readDeltaHead } from './delta';
import { DeltaTree } from './delta-tree';
import { deflatedBytesMax, inflate } from './inflate';
import { objectIdOf, type ObjectType } from './object-id';
import { ENTRY_HEAD_BYTES_MAX, type PackEntry, readPackEntry } from './pack-entry';
import { ReceivedPack } from './received-pack';

const SIGNATURE = 'PACK';
const VERSIONS = [2, 3];
const HEADER_BYTES = 12;
const TRAILER_BYTES = 20;

/**
 * Checks a whole pack and indexes it, object by object as it arrives. Each object's id is the hash of its content. A
 * delta without its base, a wrong trailer, and bytes after the last object are refused. Sizes and counts are charged
 * before anything is allocated for them.
 */
export class PackDecoder {
  private readonly received: ReceivedPack;
  private readonly checksum = createHash('sha1');
  private hashedBytes = 0;
  private readonly objects = new Map<string, PackedObject>();
  private readonly commits = new Map<string, Commit>();
  private readonly deltas: DeltaTree;
  /** Number of objects that the pack declares; undefined until its header has arrived. */
  private declared?: number;
  private scanned = 0;
  private position = HEADER_BYTES;

  constructor(private readonly budget: Budget) {
    this.received = new ReceivedPack(budget.caps.downloadBytes);
    this.deltas = new DeltaTree(budget, (entry, type, content) => this.accept(entry, type, content));
  }

  /** @throws RemoteFailure remote_too_large if a cap is exceeded, remote_unreadable if the pack is malformed */
  append(chunk: Buffer): void {
    this.received.append(chunk);
    const pack = this.received.bytes();
    this.hashUpTo(pack, pack.length - TRAILER_BYTES);
    if (this.declared === undefined) {
      if (pack.length < HEADER_BYTES) return;
      this.declared = readHeader(pack);
      this.budget.chargeObjects(this.declared);
    }
    while (this.scanned < this.declared) {
      const entry = readWholeEntry(pack, this.position);
      if (entry === undefined) return;
      this.scan(pack, entry);
    }
  }

  /** Called after the last byte. @throws RemoteFailure as `append` does */
  end(): DecodedPack {
    const pack = this.received.bytes();
    const end = pack.length - TRAILER_BYTES;
    if (this.declared === undefined || end < HEADER_BYTES) throw unreadable('pack cut');
    if (this.checksum.digest('hex') !== pack.toString('hex', end)) throw unreadable('wrong pack checksum');
    while (this.scanned < this.declared) {
      if (this.position >= end) throw unreadable('pack with fewer objects than declared');
      this.scan(pack, readPackEntry(pack, this.position));
    }
    if (this.position !== end) throw unreadable('bytes after the last object');
    this.deltas.resolve(pack);
    return new DecodedPack(pack, this.objects, this.commits);
  }

  private hashUpTo(pack: Buffer, end: number): void {
    if (end <= this.hashedBytes) return;
    this.checksum.update(pack.subarray(this.hashedBytes, end));
    this.hashedBytes = end;
  }

  private scan(pack: Buffer, entry: PackEntry): void {
    this.budget.chargeInflated(entry.size);
    const { content, end } = inflate(pack, entry.start, entry.size);
    if (entry.type === 'offset-delta' || entry.type === 'id-delta') {
      this.budget.chargeInflated(readDeltaHead(content).targetSize);
      this.deltas.addDelta(entry);
    } else {
      this.deltas.addBase(entry.offset, this.accept(entry, entry.type, content));
    }
    this.position = end;
    this.scanned += 1;
  }

  private accept(entry: PackEntry, type: ObjectType, content: Buffer): string {
    const id = objectIdOf(type, content);
    if (type === 'commit') {
      const commit = parseCommit(content);
      this.budget.chargeParents(commit.parentIds.length);
      this.commits.set(id, commit);
    }
    // If an object is sent twice, the first entry stays, because a later one may be a delta on the object itself.
    else if (!this.objects.has(id)) {
      this.objects.set(id, { entry, type });
    }
    return id;
  }
}

function readHeader(pack: Buffer): number {
  if (pack.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE) throw unreadable('no pack');
  if (!VERSIONS.includes(pack.readUInt32BE(4))) throw unreadable('unknown version of pack');
  return pack.readUInt32BE(8);
}

/** Undefined until the longest possible entry has arrived, so that later bytes cannot change the result. */
function readWholeEntry(pack: Buffer, position: number): PackEntry | undefined {
  if (position + ENTRY_HEAD_BYTES_MAX > pack.length) return undefined;
  const entry = readPackEntry(pack, position);
  return entry.start + deflatedBytesMax(entry.size) > pack.length ? undefined : entry;
}

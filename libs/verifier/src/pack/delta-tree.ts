import type { Budget } from '../budget';
import { tooLarge, unreadable } from '../remote-failure';
import { applyDelta, readDeltaHead } from './delta';
import { inflate } from './inflate';
import type { ObjectType } from './object-id';
import { type PackEntry, readPackEntry } from './pack-entry';

type Accept = (entry: PackEntry, type: ObjectType, content: Buffer) => string;

/** An object with deltas on top of it that are not resolved yet. */
interface Base {
  type: ObjectType;
  content: Buffer;
  deltas: PackEntry[];
  depth: number;
}

/** Most content that is held at once while deltas are resolved, as a multiple of the largest allowed object. */
const HELD_OBJECTS_MAX = 4;

/**
 * Resolves the deltas of a pack from their bases upwards: each base is inflated once and held until its last delta is
 * applied. A cycle of deltas has no base object, so it is never entered and remains unresolved.
 */
export class DeltaTree {
  private readonly byOffset = new Map<number, PackEntry[]>();
  private readonly byId = new Map<string, PackEntry[]>();
  /** Start and id of the objects that are not deltas. Lists, because most packs have many such objects and no delta. */
  private readonly baseOffsets: number[] = [];
  private readonly baseIds: string[] = [];
  private unresolved = 0;
  private heldBytes = 0;

  constructor(
    private readonly budget: Budget,
    private readonly accept: Accept,
  ) {}

  addBase(offset: number, id: string): void {
    this.baseOffsets.push(offset);
    this.baseIds.push(id);
  }

  addDelta(entry: PackEntry): void {
    if (entry.type === 'offset-delta') append(this.byOffset, entry.baseOffset, entry);
    else if (entry.type === 'id-delta') append(this.byId, entry.baseId, entry);
    this.unresolved += 1;
  }

  /** @throws RemoteFailure remote_unreadable if a delta's base is not in the pack */
  resolve(pack: Buffer): void {
    if (this.unresolved === 0) return;
    for (const [index, offset] of this.baseOffsets.entries()) {
      const deltas = this.takeDeltas(offset, this.baseIds[index]!);
      if (deltas.length === 0) continue;
      const { type, start, size } = readPackEntry(pack, offset);
      if (type === 'offset-delta' || type === 'id-delta') throw unreadable('delta without its base');
      this.resolveAbove(pack, { type, content: inflate(pack, start, size).content, deltas, depth: 0 });
    }
    if (this.unresolved > 0) throw unreadable('delta without its base');
  }

  private resolveAbove(pack: Buffer, root: Base): void {
    const stack: Base[] = [];
    this.hold(stack, root);
    for (;;) {
      const base = stack.at(-1);
      if (base === undefined) return;
      const delta = base.deltas.pop();
      if (base.deltas.length === 0) this.release(stack);
      if (delta !== undefined) this.hold(stack, this.applied(pack, base, delta));
    }
  }

  private applied(pack: Buffer, base: Base, entry: PackEntry): Base {
    const depth = base.depth + 1;
    if (depth > this.budget.caps.deltaDepth) throw tooLarge('too many deltas on top of each other');
    const instructions = inflate(pack, entry.start, entry.size).content;
    const content = applyDelta(base.content, instructions, readDeltaHead(instructions));
    const id = this.accept(entry, base.type, content);
    this.unresolved -= 1;
    return { type: base.type, content, deltas: this.takeDeltas(entry.offset, id), depth };
  }

  private hold(stack: Base[], base: Base): void {
    if (base.deltas.length === 0) return;
    this.heldBytes += base.content.length;
    if (this.heldBytes > HELD_OBJECTS_MAX * this.budget.caps.objectBytes) {
      throw tooLarge('deltas need too much memory');
    }
    stack.push(base);
  }

  private release(stack: Base[]): void {
    this.heldBytes -= stack.pop()?.content.length ?? 0;
  }

  /** Returns each delta once, even if the same object is in the pack twice. */
  private takeDeltas(offset: number, id: string): PackEntry[] {
    const deltas = [...(this.byOffset.get(offset) ?? []), ...(this.byId.get(id) ?? [])];
    this.byOffset.delete(offset);
    this.byId.delete(id);
    return deltas;
  }
}

function append<Key>(map: Map<Key, PackEntry[]>, key: Key, entry: PackEntry): void {
  const entries = map.get(key);
  if (entries) entries.push(entry);
  else map.set(key, [entry]);
}

import type { Commit } from './commit';
import { applyDelta, readDeltaHead } from './delta';
import { inflate } from './inflate';
import type { ObjectType } from './object-id';
import { type PackEntry, readPackEntry } from './pack-entry';

export interface PackedObject {
  entry: PackEntry;
  type: ObjectType;
}

/** A fully checked pack. Commits are parsed; other objects are inflated when they are read. */
export class DecodedPack {
  constructor(
    private readonly pack: Buffer,
    private readonly objects: ReadonlyMap<string, PackedObject>,
    readonly commits: ReadonlyMap<string, Commit>,
  ) {}

  typeOf(id: string): ObjectType | undefined {
    return this.commits.has(id) ? 'commit' : this.objects.get(id)?.type;
  }

  /** The content of an object that is not a commit. */
  read(id: string): Buffer | undefined {
    const object = this.objects.get(id);
    if (object === undefined) return undefined;
    const deltas: PackEntry[] = [];
    let entry = object.entry;
    for (let base = this.baseOf(entry); base !== undefined; base = this.baseOf(entry)) {
      deltas.push(entry);
      entry = base;
    }
    return deltas.reduceRight<Buffer>((content, delta) => {
      const instructions = this.inflate(delta);
      return applyDelta(content, instructions, readDeltaHead(instructions));
    }, this.inflate(entry));
  }

  /** The recursion ends, because the decoder accepts a delta only after its base. */
  private baseOf(entry: PackEntry): PackEntry | undefined {
    if (entry.type === 'offset-delta') return readPackEntry(this.pack, entry.baseOffset);
    return entry.type === 'id-delta' ? this.objects.get(entry.baseId)?.entry : undefined;
  }

  private inflate(entry: PackEntry): Buffer {
    return inflate(this.pack, entry.start, entry.size).content;
  }
}

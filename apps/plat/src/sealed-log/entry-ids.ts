import { randomInt } from 'node:crypto';
import { LEAF_KINDS, type LeafKind } from '@plat/ledger';

const WORDS = 4;
const FREE = 0;
/** Slots of an empty set; doubled whenever half of them are taken. */
const SLOTS_MIN = 1024;
const LANDINGS_MAX = 2;

/**
 * The ids of a log's entries, each with its kind. A slot has 17 bytes, so that the ids of 1,000,000 entries take 36 MB; a
 * set of texts would take several times that.
 */
export class EntryIds {
  private ids = new Uint32Array(SLOTS_MIN * WORDS);
  /** The mark of each slot: 0 if it is free, otherwise the kind, with the number of its entries. */
  private marks = new Uint8Array(SLOTS_MIN);
  private taken = 0;
  /** A platform that knew where ids are put could choose them so that all are put in one place. */
  private readonly seed = randomInt(2 ** 32);

  /** @returns false if the log may not have one more entry of this kind and id; a landing may be there twice */
  add(kind: LeafKind, id: string): boolean {
    if (this.taken * 2 >= this.marks.length) this.double();
    const words = wordsOf(id);
    const place = LEAF_KINDS.indexOf(kind) + 1;
    const slot = this.slotOf(words, place);
    const count = this.marks[slot]! >> 4;
    if (count === 0) this.taken += 1;
    else if (kind !== 'landing' || count === LANDINGS_MAX) return false;
    this.put(slot, words, ((count + 1) << 4) | place);
    return true;
  }

  private put(slot: number, words: Uint32Array, mark: number): void {
    this.ids.set(words, slot * WORDS);
    this.marks[slot] = mark;
  }

  /** The slot that has this id and kind, or the free one where it belongs. */
  private slotOf(words: Uint32Array, place: number): number {
    const last = this.marks.length - 1;
    let slot = mixed(words, this.seed + place) & last;
    while (this.marks[slot] !== FREE && !this.isAt(slot, words, place)) slot = (slot + 1) & last;
    return slot;
  }

  private isAt(slot: number, words: Uint32Array, place: number): boolean {
    if ((this.marks[slot]! & 0x0f) !== place) return false;
    const at = slot * WORDS;
    for (let word = 0; word < WORDS; word += 1) if (this.ids[at + word] !== words[word]) return false;
    return true;
  }

  private double(): void {
    const { ids, marks } = this;
    this.ids = new Uint32Array(ids.length * 2);
    this.marks = new Uint8Array(marks.length * 2);
    marks.forEach((mark, slot) => {
      if (mark === FREE) return;
      const words = ids.subarray(slot * WORDS, (slot + 1) * WORDS);
      this.put(this.slotOf(words, mark & 0x0f), words, mark);
    });
  }
}

function wordsOf(id: string): Uint32Array {
  const words = new Uint32Array(WORDS);
  words[0] = Number(`0x${id.slice(0, 8)}`);
  words[1] = Number(`0x${id.slice(9, 13)}${id.slice(14, 18)}`);
  words[2] = Number(`0x${id.slice(19, 23)}${id.slice(24, 28)}`);
  words[3] = Number(`0x${id.slice(28)}`);
  return words;
}

function mixed(words: Uint32Array, seed: number): number {
  let hash = seed | 0;
  for (const word of words) {
    hash = Math.imul(hash ^ word, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}

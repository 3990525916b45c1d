/** A set of indexes of entries: one bit each. */
export class IndexSet {
  private bits = new Uint8Array(128);

  add(index: number): void {
    this.addRange(index, index);
  }

  /** Both ends included. */
  addRange(first: number, last: number): void {
    this.reach(last >> 3);
    const [from, to] = [first >> 3, last >> 3];
    const [head, tail] = [0xff << (first & 7), 0xff >> (7 - (last & 7))];
    if (from === to) {
      this.bits[from]! |= head & tail;
      return;
    }
    this.bits[from]! |= head;
    this.bits.fill(0xff, from + 1, to);
    this.bits[to]! |= tail;
  }

  /** The smallest index that the other set does not have. */
  firstWithout(other: IndexSet): number | undefined {
    for (let at = 0; at < this.bits.length; at += 1) {
      const rest = this.bits[at]! & ~(other.bits[at] ?? 0);
      if (rest !== 0) return at * 8 + (31 - Math.clz32(rest & -rest));
    }
    return undefined;
  }

  private reach(byte: number): void {
    if (byte < this.bits.length) return;
    const larger = new Uint8Array(Math.max(byte + 1, this.bits.length * 2));
    larger.set(this.bits);
    this.bits = larger;
  }
}

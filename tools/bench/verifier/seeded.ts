/** Numbers that look random and are the same in every run (xorshift). */
export class Seeded {
  constructor(private state = 0x2545f491) {}

  /** A whole number from 0 to below `below`. */
  next(below: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % below;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.next(items.length)]!;
  }
}

const FIRST_BYTES = 64 * 1024;

/** A pack as it arrives: one buffer that doubles, up to the download cap, which the Budget has checked before. */
export class ReceivedPack {
  private buffer = Buffer.allocUnsafe(0);
  private length = 0;

  constructor(private readonly bytesMax: number) {}

  append(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (needed > this.buffer.length) this.grow(needed);
    this.length += chunk.copy(this.buffer, this.length);
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const doubled = Math.min(Math.max(2 * this.buffer.length, FIRST_BYTES), this.bytesMax);
    const grown = Buffer.allocUnsafeSlow(Math.max(doubled, needed));
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }
}

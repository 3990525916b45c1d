/** Most keys for which is remembered how long ago they were served. */
export const REMEMBERED_MAX = 10_000;

/**
 * The order in which keys were last served. Only the last keys are remembered. Therefore a waiting key that was served
 * before comes before any new key once that many others were served, however many new keys come.
 */
export class ServedKeys {
  /** The number of each key's last service. The key that was served longest ago comes first. */
  private readonly numbers = new Map<string, number>();
  private count = 0;

  /** The number of remembered keys. */
  get size(): number {
    return this.numbers.size;
  }

  note(key: string): void {
    this.numbers.delete(key);
    this.numbers.set(key, ++this.count);
    if (this.numbers.size <= REMEMBERED_MAX) return;
    const [oldest] = this.numbers.keys();
    this.numbers.delete(oldest!);
  }

  /** The number of the key's last service; 0 if it was never served. */
  lastOf(key: string): number {
    return this.numbers.get(key) ?? 0;
  }
}

/** How long after its last request a key still counts as asking, in milliseconds. */
export const ASKING_MS = 1_000;

/** The keys that asked lately: the last two, by which each key learns whether another one asked. */
export class AskingKeys {
  private last = { key: '', at: -Infinity };
  /** When a key other than the last one last asked, in milliseconds of the process. */
  private otherAt = -Infinity;

  note(key: string): void {
    if (this.last.key !== key) this.otherAt = this.last.at;
    this.last = { key, at: performance.now() };
  }

  hasOthers(key: string): boolean {
    const at = this.last.key === key ? this.otherAt : this.last.at;
    return performance.now() - at <= ASKING_MS;
  }
}

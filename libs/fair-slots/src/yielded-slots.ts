import type { HeldSlot } from './slot';

/** The slots whose holders wait without them. */
export class YieldedSlots {
  /** The first one yielded first. */
  private readonly slots = new Set<HeldSlot>();

  constructor(private readonly max: number) {}

  get size(): number {
    return this.slots.size;
  }

  /** Adds a slot, and revokes one if there are too many. Those that are revoked already do not count. */
  add(slot: HeldSlot): void {
    this.slots.add(slot);
    const remaining = [...this.slots].filter(({ isRevoked }) => !isRevoked);
    if (remaining.length > this.max) revokeOne(remaining);
  }

  delete(slot: HeldSlot): void {
    this.slots.delete(slot);
  }
}

/** Revokes the first slot of the key with the most, so that no key loses its only one while another has several. */
function revokeOne(slots: readonly HeldSlot[]): void {
  const yielded = slots.filter(({ state }) => state === 'yielded');
  const countOf = (key: string) => yielded.filter((slot) => slot.key === key).length;
  const most = Math.max(...yielded.map(({ key }) => countOf(key)));
  yielded.find(({ key }) => countOf(key) === most)?.revoke();
}

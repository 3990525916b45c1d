import type { KeyObject } from 'node:crypto';
import { ApiError } from '@plat/contracts/core';
import { publicKeyBytes } from '@plat/ledger';

/** The keys that sign the checkpoints of all logs. During a rotation there are two. */
export class LedgerKeys {
  constructor(private signing: readonly KeyObject[]) {}

  /** Signs with other keys from the next checkpoint on. */
  replace(signing: readonly KeyObject[]): void {
    this.signing = signing;
  }

  get areThere(): boolean {
    return this.signing.length > 0;
  }

  /** Private keys, the first one first. */
  get privateKeys(): readonly KeyObject[] {
    return this.signing;
  }

  /** 32 bytes each, in the same order. */
  get publicKeys(): Buffer[] {
    return this.signing.map(publicKeyBytes);
  }

  /** @throws NOT_IMPLEMENTED if nothing is sealed */
  expectSome(): void {
    if (this.areThere) return;
    throw new ApiError('NOT_IMPLEMENTED', { message: 'This deployment has no key that signs sealed logs.' });
  }
}

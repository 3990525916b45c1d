import type { ApiClient } from '@plat/api-client';
import type { VerifierKey } from '@plat/ledger';
import { checkConsistent, readRememberedLogs } from '../sealed-log/checkpoint-memory';
import { tenantOf } from '../sealed-log/log-layout';
import { logKeys, type LogToOpen, openPlatformLog } from '../sealed-log/platform-log';
import type { VerifiedCheckpoint } from '../sealed-log/signed-checkpoint';
import { rememberWaiting } from '../sealed-log/waiting-memory';

/** The access to the log that the check of a receipt's inclusion needs, in addition to the receipt. */
export interface LogAccess {
  /** The keys of the log: the trusted ones, or those of the platform. */
  keys(): Promise<readonly VerifierKey[]>;
  /** Demands that the checkpoint does not contradict what this client has verified before. */
  demandConsistent(checkpoint: VerifiedCheckpoint): Promise<unknown>;
  /** Whether the tenant has a log as far as this client knows: a key is pinned, or it has verified one before. */
  knowsLogOf(tenantId: string): Promise<boolean>;
  /** When this client first saw that the review's receipt has no proof yet, in milliseconds since 1970: now, the first time. */
  firstSeenWaiting(reviewId: string): Promise<number>;
  /** The platform's newest checkpoint of the caller's log, which this client knows from then on. */
  open(): Promise<VerifiedCheckpoint>;
}

export function logAccess(api: ApiClient, { configFolder, pinned }: LogToOpen): LogAccess {
  return {
    keys: () => logKeys(api, pinned),
    demandConsistent: (checkpoint) => checkConsistent(configFolder, api, checkpoint),
    async knowsLogOf(tenantId) {
      // Who names a key of a log knows that there is one.
      if (pinned.length > 0) return true;
      return (await readRememberedLogs(configFolder)).some(({ origin }) => tenantOf(origin) === tenantId);
    },
    async firstSeenWaiting(reviewId) {
      return (await rememberWaiting(configFolder, 'receipts', [reviewId]))[reviewId] ?? Date.now();
    },
    open: () => openPlatformLog(api, { configFolder, pinned }),
  };
}

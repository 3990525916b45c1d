import type { VerifierCaps } from './config';
import { LineSteps } from './line-steps';
import { tooLarge } from './remote-failure';
import type { TextLimits } from './text-limits';

/** Counts what one verification uses of its caps. Callers charge a size before they allocate it. */
export class Budget {
  private downloaded = 0;
  private inflated = 0;
  private objects = 0;
  private requests = 0;
  private parents = 0;
  private packets = 0;

  readonly texts: TextLimits;

  constructor(readonly caps: VerifierCaps) {
    this.texts = { ...caps, steps: new LineSteps(caps.lineSteps) };
  }

  /** @throws RemoteFailure remote_too_large */
  chargeRequest(): void {
    this.requests += 1;
    if (this.requests > this.caps.requests) throw tooLarge('too many requests');
  }

  /** @throws RemoteFailure remote_too_large */
  chargeDownload(bytes: number): void {
    this.downloaded += bytes;
    if (this.downloaded > this.caps.downloadBytes) throw tooLarge('too many bytes received');
  }

  /** @throws RemoteFailure remote_too_large */
  chargeObjects(count: number): void {
    this.objects += count;
    if (this.objects > this.caps.objects) throw tooLarge('too many objects');
  }

  /** @throws RemoteFailure remote_too_large */
  chargeParents(count: number): void {
    this.parents += count;
    if (this.parents > this.caps.parents) throw tooLarge('too many parents');
  }

  /** Every packet costs some work, even an empty one. @throws RemoteFailure remote_too_large */
  chargePacket(): void {
    this.packets += 1;
    if (this.packets > this.caps.packets) throw tooLarge('too many lines');
  }

  /** @param bytes the declared size of one object. @throws RemoteFailure remote_too_large */
  chargeInflated(bytes: number): void {
    if (bytes > this.caps.objectBytes) throw tooLarge('an object is too large');
    this.inflated += bytes;
    if (this.inflated > this.caps.inflatedBytes) throw tooLarge('too many bytes inflated');
  }
}

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { requestOf } from '../request/request';

/** How many requests of a service were let through to act. */
export class ActingRequests {
  count = 0;
}

/**
 * Counts the requests that act, after the step that audits them and apart from it, so that a comparison of the two counts
 * shows a request that acted without its row. A request that waits is counted when it has its row.
 */
@Injectable()
export class ActingGuard implements CanActivate {
  constructor(private readonly acting: ActingRequests) {}

  canActivate(context: ExecutionContext): boolean {
    if (requestOf(context).waitSeconds === undefined) this.acting.count += 1;
    return true;
  }
}

import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, tap } from 'rxjs';
import { requestKeyOf } from '../request/idempotency-key';
import { replyOf, requestOf } from '../request/request';

/**
 * Gives the handler the request's Idempotency-Key, after the steps that every request takes, and says of an answer that it
 * is that of an earlier request with the key.
 *
 * @throws BAD_REQUEST for a key that is none
 */
@Injectable()
export class RepeatInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    const key = requestKeyOf(request);
    if (!key) return next.handle();
    request.caller!.key = key;
    return next.handle().pipe(
      tap(() => {
        if (key.isRepeat) void replyOf(context).header('idempotency-replayed', 'true');
      }),
    );
  }
}

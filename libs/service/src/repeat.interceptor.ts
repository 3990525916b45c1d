import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, tap } from 'rxjs';
import { replyOf, requestOf } from './request';

/** Says of an answer that it is that of an earlier request with the same Idempotency-Key. */
@Injectable()
export class RepeatInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap(() => {
        const { caller } = requestOf(context);
        if (caller?.key?.isRepeat) void replyOf(context).header('idempotency-replayed', 'true');
      }),
    );
  }
}

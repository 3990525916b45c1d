import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../authentication/caller';
import { requestOf } from '../request/request';

/** The caller of a request that has passed authentication, permission and audit. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('the route has no authentication');
  return caller;
});

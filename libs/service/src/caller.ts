import type { TenantScope } from '@plat/database';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from './identity';
import { requestOf } from './request';

/** Who asks, within one request: what a service passes to every statement. */
export interface Caller extends TenantScope {
  requestId: string;
  principal: Principal;
}

/** The caller of a request that has passed authentication, permission and audit. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('the route has no authentication');
  return caller;
});

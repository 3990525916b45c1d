import type { TenantScope } from '@plat/database';
import type { Principal } from './identity';

/** Who asks, within one request: what a service passes to every statement. */
export interface Caller extends TenantScope {
  requestId: string;
  principal: Principal;
}

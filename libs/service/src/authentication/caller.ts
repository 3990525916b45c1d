import type { KeyedScope } from '@plat/database';
import type { Principal } from './identity';

/** The caller of one request, which a service passes to every statement. */
export interface Caller extends KeyedScope {
  requestId: string;
  principal: Principal;
  /**
   * Lets the tenant's other requests proceed during work that only waits, such as for another server.
   *
   * @throws SERVICE_UNAVAILABLE when the request does not get its slots again in time
   */
  aside<T>(work: () => Promise<T>): Promise<T>;
}

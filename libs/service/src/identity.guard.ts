import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from '@plat/contracts/core';
import { routeOf } from './declared-route';
import { Identities } from './identity';
import { requestOf } from './request';

/**
 * Steps 3 and 4: which tenant and user, and may they do this? Spec: API, Authentication, rules 2, 3 and 6.
 *
 * @throws TENANT_UNRESOLVED, NOT_ENROLLED, FORBIDDEN, SERVICE_UNAVAILABLE if the caller cannot be looked up
 */
@Injectable()
export class IdentityGuard implements CanActivate {
  constructor(private readonly identities: Identities) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const { method, template } = routeOf(context);
    const principal = await this.identities.resolve(request.user!).catch((cause: unknown) => {
      throw cause instanceof ApiError ? cause : new ApiError('SERVICE_UNAVAILABLE', { cause });
    });
    request.principal = principal;
    if (!principal.permissions.permit(method, template)) throw new ApiError('FORBIDDEN');
    return true;
  }
}

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError, type RouteEntry } from '@plat/contracts/core';
import { forbidden } from '../authentication/forbidden';
import { Identities } from '../authentication/identity';
import { type PlatRequest, requestOf } from '../request/request';
import { routeOf } from './declared-route';

/**
 * Steps 3 and 4: which tenant and user, and may they do this? Spec: API, Authentication, rules 2, 3 and 6.
 *
 * @throws TENANT_UNRESOLVED, NOT_ENROLLED, FORBIDDEN, SERVICE_UNAVAILABLE if the caller cannot be looked up
 */
@Injectable()
export class IdentityGuard implements CanActivate {
  constructor(private readonly identities: Identities) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.judge(requestOf(context), routeOf(context));
    return true;
  }

  /** Judges the caller; again, if the request has waited. */
  async judge(request: PlatRequest, route: RouteEntry): Promise<void> {
    if (request.user!.expiresAt * 1000 <= Date.now()) throw new ApiError('UNAUTHENTICATED');
    const principal = await this.identities.resolve(request.user!).catch((cause: unknown) => {
      throw cause instanceof ApiError ? cause : new ApiError('SERVICE_UNAVAILABLE', { cause });
    });
    request.principal = principal;
    if (!principal.permissions.permit(route.method, route.template)) throw forbidden(route);
  }
}

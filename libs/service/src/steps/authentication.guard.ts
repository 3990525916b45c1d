import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { ApiError } from '@plat/contracts/core';
import { STRATEGY } from '../authentication/jwt.strategy';
import { TokenRefused } from '../authentication/token';
import { requestOf } from '../request/request';

/** Headers that are refused if sent twice. Node would keep the first or join them. */
const SINGLE_HEADERS = ['authorization', 'x-plat-mcp-tool'];

/**
 * Step 1: who is this? Spec: API, Authentication, rules 1 and 6.
 *
 * @throws UNAUTHENTICATED, BAD_REQUEST for a repeated header, SERVICE_UNAVAILABLE if the caller cannot be determined
 */
@Injectable()
export class AuthenticationGuard extends AuthGuard(STRATEGY) {
  override canActivate(context: ExecutionContext) {
    const { rawHeaders } = requestOf(context).raw;
    for (const header of SINGLE_HEADERS) {
      const times = rawHeaders.filter(
        (name, place) => place % 2 === 0 && name.toLowerCase() === header,
      ).length;
      if (times > 1) {
        throw new ApiError('BAD_REQUEST', { message: `The header ${header} must be sent once.` });
      }
    }
    return super.canActivate(context);
  }

  override handleRequest<User>(error: unknown, user: User, info: unknown): User {
    if (user) return user;
    const cause = error ?? info;
    if (isFault(cause)) throw new ApiError('SERVICE_UNAVAILABLE', { cause });
    throw new ApiError('UNAUTHENTICATED', { cause });
  }
}

/** passport reports a refused token and an unreachable database alike; only the first is the caller's mistake. */
function isFault(cause: unknown): boolean {
  return cause instanceof Error && !(cause instanceof TokenRefused) && cause.message !== 'No auth token';
}

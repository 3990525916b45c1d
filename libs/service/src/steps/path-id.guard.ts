import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError, isId, pathParameters } from '@plat/contracts/core';
import { requestOf } from '../request/request';
import { routeOf } from './declared-route';

/** Most characters of an invalid id that the answer repeats. */
const ECHO_LENGTH_MAX = 100;

/**
 * Step 7: every id in the path is a UUID, judged before the body. Spec: API, General rules, rule 3.
 *
 * @throws INVALID_PATH_ID naming the parameter and the value received
 */
@Injectable()
export class PathIdGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params } = requestOf(context);
    for (const parameter of pathParameters(routeOf(context).template)) {
      const value = params[parameter] ?? '';
      if (isId(value)) continue;
      const echoed = JSON.stringify(value.slice(0, ECHO_LENGTH_MAX));
      throw new ApiError('INVALID_PATH_ID', {
        message: `${parameter} must be a UUID, not ${echoed}.`,
        details: { parameter, value: value.slice(0, ECHO_LENGTH_MAX) },
      });
    }
    return true;
  }
}

/** A path id by its name in the template; it is a UUID by the time a handler runs. */
export const PathId = createParamDecorator((parameter: string, context: ExecutionContext): string =>
  requestOf(context).params[parameter]!.toLowerCase(),
);

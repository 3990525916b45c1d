import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type RouteName, routeNamed } from '@plat/contracts/core';
import { ActingGuard } from './acting.guard';
import { AuditGuard } from './audit.guard';
import { AuthenticationGuard } from './authentication.guard';
import { BodyGuard } from './body.guard';
import { DECLARED_ROUTE, type DeclaredRoute, type RouteShapes } from './declared-route';
import { IdentityGuard } from './identity.guard';
import { PathIdGuard } from './path-id.guard';
import { RepeatInterceptor } from './repeat.interceptor';
import { RequestSlotsGuard } from './request-slots.guard';
import { WaitingInterceptor } from './waiting.interceptor';

/**
 * Makes a controller's method the handler of a route of the table. It sets the method, the path, the status of success
 * and, unless the route is public, the steps of a request in their order.
 */
export function Route(name: RouteName, shapes: RouteShapes): MethodDecorator {
  const entry = routeNamed(name);
  return applyDecorators(
    RequestMapping({
      path: entry.template.replace(/\{([a-z_]+)\}/g, ':$1'),
      method: RequestMethod[entry.method],
    }),
    HttpCode(entry.status),
    ...(entry.revalidates ? [RouteConfig({ revalidates: true })] : []),
    ...(entry.waits ? [UseInterceptors(WaitingInterceptor)] : []),
    ...(entry.keyed ? [UseInterceptors(RepeatInterceptor)] : []),
    SetMetadata(DECLARED_ROUTE, { name, ...shapes } satisfies DeclaredRoute),
    ...(entry.public
      ? []
      : [
          UseGuards(
            AuthenticationGuard,
            RequestSlotsGuard,
            IdentityGuard,
            BodyGuard,
            AuditGuard,
            ActingGuard,
            PathIdGuard,
          ),
        ]),
  );
}

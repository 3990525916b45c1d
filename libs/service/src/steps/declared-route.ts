import type { ExecutionContext } from '@nestjs/common';
import { type RouteEntry, type RouteName, routeNamed } from '@plat/contracts/core';

/** The shapes of a route's answers, for the OpenAPI document. */
export interface RouteShapes {
  /** The class of the success body; absent for an empty one. */
  response?: new () => object;
  /** The body is a bare array of the class. Rule A1. */
  list?: true;
}

export interface DeclaredRoute extends RouteShapes {
  name: RouteName;
}

export const DECLARED_ROUTE = 'plat:route';

/** The route table's entry of the handler that a request has reached. */
export function routeOf(context: ExecutionContext): RouteEntry {
  const declared = Reflect.getMetadata(DECLARED_ROUTE, context.getHandler()) as DeclaredRoute | undefined;
  if (!declared) throw new Error(`${context.getClass().name} has a handler outside the route table`);
  return routeNamed(declared.name);
}

import { type RouteEntry, type RouteName, routeNamed } from '@plat/contracts/core';
import { declaredFields } from '@plat/contracts/fields';
import { DECLARED_ROUTE, type DeclaredRoute } from '@plat/service';

export type Shape = new () => object;

/** One handler of a controller, as its decorators and its parameters' types declare it. */
export interface DeclaredOperation {
  name: RouteName;
  route: RouteEntry;
  query?: Shape;
  body?: Shape;
  response?: Shape;
  /** The response is a bare array of the shape. */
  list: boolean;
}

/** The operations of a controller class, in the order in which it declares them. */
export function declaredOperations(controller: Shape): DeclaredOperation[] {
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((method) => {
    const handler = prototype[method];
    const declared =
      typeof handler === 'function'
        ? (Reflect.getMetadata(DECLARED_ROUTE, handler) as DeclaredRoute | undefined)
        : undefined;
    return declared ? [operation(declared, requestShape(prototype, method))] : [];
  });
}

function operation({ name, response, list }: DeclaredRoute, request: Shape | undefined): DeclaredOperation {
  const route = routeNamed(name);
  const place = route.method === 'GET' || route.method === 'DELETE' ? 'query' : 'body';
  return { name, route, response, list: list ?? false, [place]: request };
}

/** The one parameter whose class declares fields: what the handler reads from the query or the body. */
function requestShape(prototype: object, method: string): Shape | undefined {
  const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as unknown[];
  return types.find(
    (type): type is Shape => typeof type === 'function' && declaredFields(type as Shape).length > 0,
  );
}

import type { Client } from 'pg';

/**
 * A client whose connection ends after this many statements, as that of a killed process does. Clients that share a
 * budget end together.
 */
export function cutAfter(client: Client, budget: { left: number }): Client {
  return new Proxy(client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return async (...args: [string, unknown[]]) => {
        if (budget.left-- <= 0) {
          await target.end();
          throw new Error('cut here');
        }
        return target.query(...args);
      };
    },
  });
}

import type { EntityManager } from 'typeorm';
import { isTracing, traced } from '@plat/telemetry';

/** Runs a statement in a span that names its function, never a parameter. */
export function tracedSql<T>(name: string, work: () => Promise<T>): Promise<T> {
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
  return traced({ name: `SQL ${name}`, kind: 'client', attributes }, work);
}

/** The last function of a schema of ours that a statement calls; those before it enter the tenant. */
export function functionIn(text: string): string | undefined {
  return [...text.matchAll(/\b((?:identity|reviews|builds|releases|audit|environments|figures)\.\w+)\(/g)].at(
    -1,
  )?.[1];
}

/** A transaction whose statements have spans of their own, if telemetry is on. */
export function withTracedQueries(tx: EntityManager): EntityManager {
  if (!isTracing()) return tx;
  const query = tx.query.bind(tx);
  tx.query = (<T>(text: string, parameters?: unknown[]) =>
    tracedSql(functionIn(text) ?? 'statement', () => query<T>(text, parameters as never))) as typeof tx.query;
  return tx;
}

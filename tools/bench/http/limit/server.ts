import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import { newId } from '@plat/contracts/core';
import { statementOf } from '@plat/database';
import type { Callers } from './callers';
import { type LimitRoute, ROUTES } from './routes';
import type { Trail } from './trail';

export interface LimitParts {
  issuer: string;
  callers: Callers;
  trail: Trail;
  /** Connects with the service's login, to which row-level security applies. */
  pool: Pool;
  /** Connects as the owner, for the bare select. */
  ownerPool: Pool;
}

/** `/bare/<tenant id>/<review id>` returns one row without token, row-level security or audit. */
const BARE = /^\/bare\/([^/]+)\/([^/]+)$/;

/** Answers one request: checks the token, writes the audit row, runs the statement, and sends the rows unchanged. */
export async function answer(
  parts: LimitParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url ?? '/';
  if (path === '/readyz') return send(response, { status: 'ready' });
  const bare = BARE.exec(path);
  if (bare) return send(response, await bareSelect(parts, bare.slice(1)));
  const found = match(request.method, path);
  if (!found) return void response.writeHead(404).end();
  send(response, await serve(parts, request, found));
}

async function serve(
  { issuer, callers, trail, pool }: LimitParts,
  request: IncomingMessage,
  { route, id }: { route: LimitRoute; id: string },
): Promise<unknown> {
  const { proof, subject, organization } = await callers.of(request.headers.authorization);
  const body = request.method === 'POST' ? await readBody(request) : {};
  await trail.record({
    auditEventId: newId(),
    requestId: newId(),
    proof,
    externalUserId: subject,
    externalIssuerId: issuer,
    externalOrgId: organization,
    type: 'API',
    apiMethod: route.method,
    apiPath: route.template,
  });
  const call = route.call(id, body);
  const { rows } = await pool.query<object>({
    name: call.name,
    text: statementOf(call),
    values: [proof, false, ...call.args],
  });
  return route.list ? rows : rows[0];
}

function match(method: string | undefined, path: string): { route: LimitRoute; id: string } | undefined {
  for (const route of ROUTES) {
    const matched = route.method === method ? route.path.exec(path) : null;
    if (matched) return { route, id: matched[1] ?? '' };
  }
  return undefined;
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

async function bareSelect({ ownerPool }: LimitParts, key: string[]): Promise<unknown> {
  const text = 'SELECT * FROM reviews.reviews WHERE tenant_id = $1 AND review_id = $2';
  const { rows } = await ownerPool.query<object>({ name: 'bare', text, values: key });
  return rows[0];
}

function send(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}

import { createServer } from 'node:http';
import { Pool, types } from 'pg';
import { Callers } from './callers';
import { readLimitConfig } from './config';
import { answer, type LimitParts } from './server';
import { Trail } from './trail';

/** As many as a service has by default. */
const POOL_SIZE = 4;
const TIMESTAMPTZ = 1184;

/** The limit: what a hand-written server reaches that checks the same token and runs the same statements. */
function main(): void {
  const config = readLimitConfig(process.env);
  // Timestamps as the database writes them: parsing them into dates would only slow the limit down.
  types.setTypeParser(TIMESTAMPTZ, String);
  const connect = (connectionString: string, max: number) => new Pool({ connectionString, max });
  const pool = connect(config.databaseUrl, POOL_SIZE);
  const parts: LimitParts = {
    issuer: config.issuer,
    callers: new Callers(pool, config),
    trail: new Trail(connect(config.databaseUrl, 1)),
    pool,
    ownerPool: connect(config.ownerUrl, POOL_SIZE),
  };
  createServer((request, response) => {
    answer(parts, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  }).listen(config.port, '127.0.0.1');
}

main();

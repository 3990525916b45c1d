import { createServer } from 'node:http';
import { Pool, types } from 'pg';
import { Callers } from './callers';
import { readLimitConfig } from './config';
import { answer, type LimitParts } from './server';
import { Trail } from './trail';

/** A service has the same number of connections by default. */
const POOL_SIZE = 4;
const TIMESTAMPTZ = 1184;

/** The limit server: written by hand, it checks the same tokens as a service and runs the same statements. */
function main(): void {
  const config = readLimitConfig(process.env);
  // Timestamps stay as the database writes them, because parsing them would only slow the limit down.
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

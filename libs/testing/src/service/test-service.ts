import 'reflect-metadata';
import { defined } from '@plat/contracts/core';
import { applyDirectory, LOGIN_ROLES } from '@plat/database';
import { examineDatabase } from '@plat/invariants';
import {
  type ComposedService,
  createApplication,
  createLog,
  openServiceContext,
  readConfig,
  type ServiceConfig,
  type ServiceDefinition,
} from '@plat/service';
import { createTestDatabase, isPooled, type TestDatabase } from '../database/test-database';
import { claimsOf, testDirectory, type TestUser } from '../directory/test-directory';
import { TokenIssuer } from '../issuer/token-issuer';
import { verifierWorkerFile } from '../setup/verifier-worker';
import { newSigningKey } from './signing-key';

/** A real application over a database and an issuer of its own, listening on loopback. */
export interface TestService {
  /** Base address, without a slash at the end. */
  url: string;
  issuer: TokenIssuer;
  database: TestDatabase;
  /** The Authorization header of a user of the test directory. */
  bearer(user: TestUser): Promise<string>;
  /** Sends a request as a user of the test directory; a body is sent as JSON. */
  send(
    user: TestUser,
    line: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
    body?: unknown,
  ): Promise<TestAnswer>;
  /** The lines that the services have logged so far. */
  logged(): Record<string, unknown>[];
  /** Stops everything. @throws Error when the rows that the tests left break an invariant */
  stop(): Promise<void>;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  /** The JSON body; undefined for an empty one. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what the wire says; its shape is under test
  body: any;
}

/** The part of the services that a scene needs. */
export type SceneService = Pick<TestService, 'send' | 'database'>;

/** Starts services in one process, as `standalone` composes them, with the test directory's tenants and users. */
export async function startTestService(
  ...definitions: ServiceDefinition<ServiceConfig>[]
): Promise<TestService> {
  const [issuer, database, workerFile] = await Promise.all([
    TokenIssuer.start(),
    createTestDatabase(),
    verifierWorkerFile(),
  ]);
  await applyDirectory(database.ownerUrl, testDirectory(issuer.url));
  const [receiptKey, ledgerKey] = [newSigningKey(), newSigningKey()];
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
  const services: ComposedService[] = [];
  for (const definition of definitions) services.push(await compose(definition));
  const application = await createApplication(services, { log, allowHttpIssuers: true });
  await application.listen(0, '127.0.0.1');
  const url = await application.getUrl();
  const bearer = async (user: TestUser) => `Bearer ${await issuer.token(claimsOf(user))}`;

  async function compose(definition: ServiceDefinition<ServiceConfig>): Promise<ComposedService> {
    const config = readConfig(definition.config, {
      DATABASE_URL: database.url(LOGIN_ROLES[definition.name]),
      DATABASE_PREPARED_STATEMENTS: String(!isPooled()),
      VERIFIER_ALLOW_LOCAL: 'true',
      VERIFIER_WORKER_FILE: workerFile,
      MERGE_RECEIPT_KEY: receiptKey,
      LEDGER_KEY: ledgerKey,
      LEDGER_HOST: 'plat.example',
      LEDGER_SEAL_SECONDS: '0',
    });
    const context = await openServiceContext(definition.name, config, log);
    return { context, module: definition.module(context, config) };
  }

  return {
    url,
    issuer,
    database,
    bearer,
    send: async (user, line, body) => {
      const [method, path] = line.split(' ') as [string, string];
      const response = await fetch(url + path, {
        method,
        headers: defined({
          authorization: await bearer(user),
          'content-type': body === undefined ? undefined : 'application/json',
        }),
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    stop: async () => {
      await application.close();
      await Promise.all(services.map(({ context }) => context.close()));
      const broken = await examineDatabase(database.ownerUrl);
      await Promise.all([issuer.stop(), database.drop()]);
      if (broken.length > 0) {
        throw new Error(`The tests left broken promises: ${JSON.stringify(broken, null, 2)}`);
      }
    },
  };
}

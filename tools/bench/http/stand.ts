import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@plat/contracts/core';
import {
  claimsOf,
  ORGANIZATION_CLAIM,
  type ServerProcess,
  startServer,
  TEST_AUDIENCE,
  type TestUser,
  TokenIssuer,
} from '@plat/testing';
import { buildApps, progress, root } from '../part';
import { type BenchDatabase, startDatabase } from './database';
import { Seed } from './seed';

export type MeasuredService = 'reviews' | 'builds' | 'audit' | 'platform';

/** Builds the apps, sets a stand, measures on it and strikes it. */
export async function onStand(
  apps: readonly string[],
  measure: (stand: Stand) => Promise<void>,
): Promise<void> {
  const stand = new Stand(root);
  try {
    await buildApps(apps);
    progress('preparing a database');
    await stand.set();
    await measure(stand);
  } finally {
    await stand.strike();
  }
}

/** Everything that the rounds run against. `strike` closes what was opened, in reverse order. */
export class Stand {
  private readonly opened: (() => Promise<unknown>)[] = [];
  private issuer!: TokenIssuer;
  private database!: BenchDatabase;
  /** A folder for logs and data, which `strike` removes. */
  folder!: string;
  seed!: Seed;

  constructor(private readonly root: string) {}

  /** Starts the issuer and the database. */
  async set(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'plat-bench-'));
    this.opened.push(() => rm(this.folder, { recursive: true, force: true }));
    this.issuer = await TokenIssuer.start();
    this.opened.push(() => this.issuer.stop());
    this.database = await startDatabase(this.folder, this.root, this.issuer.url);
    this.opened.push(() => this.database.stop());
    this.seed = await Seed.open(this.database.ownerUrl);
    this.opened.push(() => this.seed.close());
  }

  get ownerUrl(): string {
    return this.database.ownerUrl;
  }

  token(user: TestUser): Promise<string> {
    return this.issuer.token(claimsOf(user));
  }

  /** Returns the variables with which a service uses this database and issuer. */
  environment(service: ServiceName): Record<string, string> {
    return { DATABASE_URL: this.database.loginUrl(service), ALLOW_HTTP_ISSUERS: 'true' };
  }

  /** Starts a service as it is deployed. The caller or `strike` stops it. */
  startService(service: MeasuredService, environment: Record<string, string> = {}): Promise<ServerProcess> {
    return this.start({
      args: [join(this.root, 'dist', 'apps', service, 'main.js')],
      environment: { ...this.environment(service), ...environment },
      logFile: join(this.folder, `${service}.log`),
    });
  }

  /** Starts the limit server with a service's login. */
  startLimit(service: MeasuredService): Promise<ServerProcess> {
    return this.start({
      args: [join(this.root, 'tools/build/run-ts.mjs'), 'tools/bench/http/limit/main.ts'],
      environment: {
        DATABASE_URL: this.database.loginUrl(service),
        OWNER_URL: this.database.ownerUrl,
        ISSUER: this.issuer.url,
        AUDIENCE: TEST_AUDIENCE,
        ORGANIZATION_CLAIM,
      },
      logFile: join(this.folder, `limit-${service}.log`),
    });
  }

  /** Adds a function that `strike` calls, before it closes what was opened earlier. */
  keep(close: () => Promise<unknown>): void {
    this.opened.push(close);
  }

  /** Stops and removes everything. If one step fails, the others still run. */
  async strike(): Promise<void> {
    for (let close = this.opened.pop(); close; close = this.opened.pop()) {
      await close().catch(() => undefined);
    }
  }

  private async start(options: Parameters<typeof startServer>[0]): Promise<ServerProcess> {
    const server = await startServer(options);
    this.opened.push(server.stop);
    return server;
  }
}

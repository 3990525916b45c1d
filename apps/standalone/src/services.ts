import type { RequestListener, Server } from 'node:http';
import { auditService } from '@plat/audit';
import { buildsService } from '@plat/builds';
import { CONSOLE_PATH } from '@plat/console/places';
import type { ServiceName } from '@plat/contracts/core';
import { platformService } from '@plat/platform';
import { releasesService } from '@plat/releases';
import { reviewsService } from '@plat/reviews';
import {
  type ComposedService,
  createApplication,
  type Log,
  type LogOutput,
  openServiceContext,
  readConfig,
  type ServiceConfig,
  type ServiceDefinition,
} from '@plat/service';
import type { CleanUp } from './clean-up';
import { CLI_CLIENT_ID, CONSOLE_CLIENT_ID } from './issuer/provider';

export interface ServicesOptions {
  baseUrl: string;
  issuer: string;
  loginUrls: Readonly<Record<ServiceName, string>>;
  /** Signs merge receipts; PKCS#8 in PEM. */
  receiptKey: string;
  /** Signs sealed logs; PKCS#8 in PEM. */
  ledgerKey: string;
  /** The server that the services share with the issuers. It listens already. */
  server: Server;
  log: Log;
  /** The output of the log. */
  output: LogOutput;
  /** Closes what is opened, also when a later service fails to open. */
  cleanUp: CleanUp;
}

/** It does not depend on the port of a start, because a log keeps its name. */
const LEDGER_HOST = 'localhost';

/** Opens the five services as one application. @returns the listener for their requests */
export async function openServices(options: ServicesOptions): Promise<RequestListener> {
  const services = [
    await compose(reviewsService, options),
    await compose(buildsService, options),
    await compose(releasesService, options),
    await compose(auditService, options),
    await compose(platformService, options),
  ];
  let handler: RequestListener | undefined;
  const application = await createApplication(services, {
    log: options.log,
    output: options.output,
    allowHttpIssuers: true,
    serverFactory: (handle) => {
      handler = handle as RequestListener;
      return options.server;
    },
  });
  options.cleanUp.add(() => application.close());
  // ready() prepares the routes; listen() would too, but opens a second port.
  await application.getHttpAdapter().getInstance().ready();
  return handler as RequestListener;
}

async function compose<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  { baseUrl, issuer, loginUrls, receiptKey, ledgerKey, log, cleanUp }: ServicesOptions,
): Promise<ComposedService> {
  const config = readConfig(definition.config, {
    DATABASE_URL: loginUrls[definition.name],
    // The repositories may be on the same machine: loopback and file remotes are permitted.
    VERIFIER_ALLOW_LOCAL: 'true',
    MERGE_RECEIPT_KEY: receiptKey,
    LEDGER_KEY: ledgerKey,
    LEDGER_HOST,
    LEDGER_SEAL_SECONDS: '1',
    PLATFORM_ISSUER: issuer,
    PLATFORM_API_URL: baseUrl,
    PLATFORM_CLI_CLIENT_ID: CLI_CLIENT_ID,
    PLATFORM_CONSOLE_URL: `${baseUrl}${CONSOLE_PATH}/`,
    PLATFORM_CONSOLE_CLIENT_ID: CONSOLE_CLIENT_ID,
    PLATFORM_BRAND: 'plat',
    PLATFORM_DOCS_URL: `${baseUrl}/docs`,
  });
  const context = await openServiceContext(definition.name, config, log);
  cleanUp.add(() => context.close());
  return { context, module: definition.module(context, config) };
}

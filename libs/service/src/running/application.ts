import { maxHeaderSize, type Server } from 'node:http';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyServerFactory } from 'fastify';
import { newId } from '@plat/contracts/core';
import { boundConnections } from '@plat/local';
import { answerMissingMethods } from '../answers/allowed-methods';
import { boundAnswers } from '../answers/answer-limits';
import { answerUnchanged } from '../answers/entity-tag';
import { ErrorFilter } from '../answers/error.filter';
import { endConnectionsAtClose } from '../answers/last-answers';
import { answerForNode, answerUnreadable } from '../answers/unreadable-request';
import { IssuerKeys } from '../authentication/issuer-keys';
import { JwtStrategy } from '../authentication/jwt.strategy';
import { KnownIssuers } from '../authentication/known-issuers';
import { TokenVerifier } from '../authentication/token-verifier';
import type { Log } from '../log/log';
import type { LogOutput } from '../log/log-output';
import { receiveBodiesAsBytes } from '../request/received-body';
import { expectOneHost } from '../request/request-host';
import { logRequests } from '../request/request-log';
import { traceRequests } from '../request/request-spans';
import { routableTarget } from '../request/request-target';
import { UnknownCallers } from '../request/unknown-callers';
import { endWorkAtAnswer } from '../steps/request-slots.guard';
import { registerHealth } from './health';
import { registerMetrics } from './metrics';
import type { ServiceContext } from './service-context';

/** Longest path parameter that is routed: as long as a request's head may be, so that every id reaches its check. */
const PATH_PARAMETER_LENGTH_MAX = maxHeaderSize;
const REQUEST_TIMEOUT_MS = 60_000;
/** Options of every HTTP server. `expectOneHost` refuses requests without Host, with a body in the answer. */
export const HTTP_OPTIONS = { requireHostHeader: false } as const;

export interface ApplicationOptions {
  log: Log;
  allowHttpIssuers: boolean;
  /** Seconds for which requests are still accepted after the close has begun. Default 0. */
  drainSeconds?: number;
  /** The output of the log, whose losses `/metrics` shows; by default none is counted. */
  output?: Pick<LogOutput, 'linesLost'>;
  /** A server of the caller's own, which may answer some paths itself. */
  serverFactory?: FastifyServerFactory;
}

/** A service's context and the module over it. */
export interface ComposedService {
  context: ServiceContext;
  module: DynamicModule;
}

@Module({})
class ApplicationModule {}

/** Builds the HTTP application of one service, or of several that share a process. It does not listen yet. */
export async function createApplication(
  services: ComposedService[],
  { log, output, allowHttpIssuers, drainSeconds = 0, serverFactory }: ApplicationOptions,
): Promise<NestFastifyApplication> {
  const { database } = services[0]!.context;
  const verifier = new TokenVerifier(new KnownIssuers(database), new IssuerKeys(allowHttpIssuers));
  const root: DynamicModule = {
    module: ApplicationModule,
    imports: [PassportModule, ...services.map(({ module }) => module)],
    providers: [{ provide: JwtStrategy, useFactory: () => new JwtStrategy(verifier) }],
  };
  const strangers = new UnknownCallers();
  const application = await NestFactory.create<NestFastifyApplication>(
    root,
    createAdapter({ log, strangers, serverFactory }),
    {
      bodyParser: false,
      logger: false,
      abortOnError: false,
    },
  );
  application.useGlobalFilters(new ErrorFilter(log, strangers));
  const fastify = application.getHttpAdapter().getInstance();
  await traceRequests(fastify, log);
  answerForNode(fastify.server);
  boundConnections(fastify.server);
  // Before the other steps of an answer, since a request whose work never ended would keep its slot for ever.
  endWorkAtAnswer(fastify);
  logRequests(fastify, log);
  expectOneHost(fastify);
  answerMissingMethods(fastify);
  receiveBodiesAsBytes(fastify);
  boundAnswers(fastify);
  answerUnchanged(fastify);
  const contexts = services.map(({ context }) => context);
  registerHealth(fastify, contexts);
  registerMetrics(fastify, contexts, output);
  fastify.addHook('preClose', (done) => {
    for (const { waiters } of contexts) waiters.end();
    done();
  });
  endConnectionsAtClose(fastify, drainSeconds);
  await application.init();
  return application;
}

interface AdapterParts {
  log: Log;
  strangers: UnknownCallers;
  serverFactory: FastifyServerFactory | undefined;
}

function createAdapter({ log, strangers, serverFactory }: AdapterParts): FastifyAdapter {
  const options: FastifyHttpOptions<Server> = {
    routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
    http: HTTP_OPTIONS,
    rewriteUrl: ({ url = '/' }) => routableTarget(url),
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // Requests that are already on their way are answered, not refused.
    return503OnClosing: false,
    genReqId: () => newId(),
    ...answerUnreadable(log, strangers),
  };
  // Fastify takes this option for a factory even if it is undefined.
  return new FastifyAdapter(serverFactory ? { ...options, serverFactory } : options);
}

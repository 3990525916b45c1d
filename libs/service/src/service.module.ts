import { type DynamicModule, Module } from '@nestjs/common';
import { Database } from '@plat/database';
import { ActingGuard, ActingRequests } from './acting.guard';
import { AuditGuard } from './audit.guard';
import { AuditWriter } from './audit-writer';
import { AuthenticationGuard } from './authentication.guard';
import { BodyGuard } from './body.guard';
import { Identities } from './identity';
import { IdentityGuard } from './identity.guard';
import { PathIdGuard } from './path-id.guard';
import { ServiceSlots } from './request-slots';
import { RequestSlotsGuard } from './request-slots.guard';
import type { ServiceContext } from './service-context';
import { Waiters } from './waiters';
import { WaitingInterceptor } from './waiting.interceptor';

/** Gives a service's module the steps of a request and the database, over that service's own connections. */
@Module({})
export class ServiceModule {
  static register({ database, audit, acting, identities, slots, waiters }: ServiceContext): DynamicModule {
    const providers = [
      { provide: Database, useValue: database },
      { provide: AuditWriter, useValue: audit },
      { provide: ActingRequests, useValue: acting },
      { provide: Identities, useValue: identities },
      { provide: ServiceSlots, useValue: slots },
      { provide: Waiters, useValue: waiters },
      AuthenticationGuard,
      RequestSlotsGuard,
      IdentityGuard,
      BodyGuard,
      AuditGuard,
      ActingGuard,
      PathIdGuard,
      WaitingInterceptor,
    ];
    return { module: ServiceModule, providers, exports: providers };
  }
}

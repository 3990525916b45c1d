import { type DynamicModule, Module } from '@nestjs/common';
import { Database } from '@plat/database';
import { Identities } from '../authentication/identity';
import { ServiceSlots } from '../request/request-slots';
import { ActingGuard, ActingRequests } from '../steps/acting.guard';
import { AuditGuard } from '../steps/audit.guard';
import { AuditWriter } from '../steps/audit-writer';
import { AuthenticationGuard } from '../steps/authentication.guard';
import { BodyGuard } from '../steps/body.guard';
import { IdentityGuard } from '../steps/identity.guard';
import { PathIdGuard } from '../steps/path-id.guard';
import { RequestSlotsGuard } from '../steps/request-slots.guard';
import { WaitingInterceptor } from '../steps/waiting.interceptor';
import { Waiters } from '../waiting/waiters';
import type { ServiceContext } from './service-context';

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

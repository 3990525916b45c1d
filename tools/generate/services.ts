import type { DynamicModule } from '@nestjs/common';
import { AuditModule } from '@plat/audit';
import { BuildsModule } from '@plat/builds';
import type { ServiceName } from '@plat/contracts/core';
import { PlatformModule } from '@plat/platform';
import { ReleasesModule } from '@plat/releases';
import { ReviewsModule } from '@plat/reviews';
import type { Shape } from './openapi/declared-operations';

/** The modules only list their controllers and never run, so their dependencies may be missing. */
const NOTHING = {} as never;

const MODULES: Record<ServiceName, DynamicModule> = {
  reviews: ReviewsModule.register(NOTHING, NOTHING),
  builds: BuildsModule.register(NOTHING),
  releases: ReleasesModule.register(NOTHING),
  audit: AuditModule.register(NOTHING, NOTHING),
  platform: PlatformModule.register(NOTHING, NOTHING),
};

/** The controllers that a service is composed of. */
export function controllersOf(service: ServiceName): Shape[] {
  return (MODULES[service].controllers ?? []) as Shape[];
}

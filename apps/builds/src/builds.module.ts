import { type DynamicModule, Module } from '@nestjs/common';
import { PartitionClock, type ServiceContext, ServiceModule } from '@plat/service';
import { BuildController } from './build/build.controller';
import { BuildService } from './build/build.service';

/** Build reports. */
@Module({})
export class BuildsModule {
  static register(context: ServiceContext): DynamicModule {
    return {
      module: BuildsModule,
      imports: [ServiceModule.register(context)],
      controllers: [BuildController],
      providers: [BuildService, { provide: PartitionClock, useValue: new PartitionClock(context, 'builds') }],
    };
  }
}

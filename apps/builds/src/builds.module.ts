import { type DynamicModule, Module } from '@nestjs/common';
import { PartitionClock, type ServiceContext, ServiceModule } from '@plat/service';
import { BuildController } from './builds/build.controller';
import { BuildService } from './builds/build.service';

/** The module of build reports. */
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

import { type DynamicModule, Module } from '@nestjs/common';
import { type ServiceContext, ServiceModule } from '@plat/service';
import { ReleaseController } from './releases/release.controller';
import { ReleaseService } from './releases/release.service';

/** The release queue. */
@Module({})
export class ReleasesModule {
  static register(context: ServiceContext): DynamicModule {
    return {
      module: ReleasesModule,
      imports: [ServiceModule.register(context)],
      controllers: [ReleaseController],
      providers: [ReleaseService],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { type ServiceContext, ServiceModule } from '@plat/service';
import { PlatformConfig } from './config';
import { PlatformController } from './platform/platform.controller';
import { WhoamiController } from './whoami/whoami.controller';

/** The platform's description, and who the caller is. */
@Module({})
export class PlatformModule {
  static register(context: ServiceContext, config: PlatformConfig): DynamicModule {
    return {
      module: PlatformModule,
      imports: [ServiceModule.register(context)],
      controllers: [PlatformController, WhoamiController],
      providers: [{ provide: PlatformConfig, useValue: config }],
    };
  }
}

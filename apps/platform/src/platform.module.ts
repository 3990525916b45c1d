import { type DynamicModule, Module } from '@nestjs/common';
import { type ServiceContext, ServiceModule } from '@plat/service';
import { PlatformConfig } from './config';
import { PlatformController } from './platform/platform.controller';
import { RoleController } from './roles/role.controller';
import { RoleService } from './roles/role.service';
import { UserController } from './users/user.controller';
import { UserRoleController } from './users/user-role.controller';
import { UserRoleService } from './users/user-role.service';
import { UserService } from './users/user.service';
import { WhoamiController } from './whoami/whoami.controller';

/** The platform's description, who the caller is, and who may do what in the tenant. */
@Module({})
export class PlatformModule {
  static register(context: ServiceContext, config: PlatformConfig): DynamicModule {
    return {
      module: PlatformModule,
      imports: [ServiceModule.register(context)],
      controllers: [PlatformController, WhoamiController, UserController, UserRoleController, RoleController],
      providers: [{ provide: PlatformConfig, useValue: config }, UserService, UserRoleService, RoleService],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { type ServiceContext, ServiceModule } from '@plat/service';
import { PlatformConfig } from './config';
import { DeletionWorker } from './environments/deletion-worker';
import { EnvironmentController } from './environments/environment.controller';
import { EnvironmentService } from './environments/environment.service';
import { KubernetesCluster } from './environments/kubernetes-cluster';
import { PlatformController } from './platform/platform.controller';
import { RoleController } from './roles/role.controller';
import { RoleService } from './roles/role.service';
import { UserController } from './users/user.controller';
import { UserRoleController } from './users/user-role.controller';
import { UserRoleService } from './users/user-role.service';
import { UserService } from './users/user.service';
import { WhoamiController } from './whoami/whoami.controller';

/** The platform's description, who the caller is, who may do what in the tenant, and its environments. */
@Module({})
export class PlatformModule {
  static register(context: ServiceContext, config: PlatformConfig): DynamicModule {
    return {
      module: PlatformModule,
      imports: [ServiceModule.register(context)],
      controllers: [
        PlatformController,
        WhoamiController,
        EnvironmentController,
        UserController,
        UserRoleController,
        RoleController,
      ],
      providers: [
        { provide: PlatformConfig, useValue: config },
        { provide: DeletionWorker, useFactory: () => deletionWorker(context, config) },
        EnvironmentService,
        UserService,
        UserRoleService,
        RoleService,
      ],
    };
  }
}

function deletionWorker({ database, log }: ServiceContext, config: PlatformConfig): DeletionWorker {
  const { CLUSTER_KUBECONFIG: kubeconfig } = config;
  const cluster = kubeconfig === undefined ? undefined : new KubernetesCluster(kubeconfig);
  return new DeletionWorker({ database, log, cluster });
}

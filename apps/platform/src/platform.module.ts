import { type DynamicModule, Module } from '@nestjs/common';
import { type ServiceContext, ServiceModule } from '@plat/service';
import { PlatformConfig } from './config';
import { DeletionFigures } from './environments/deletion-figures';
import { DeletionWorker } from './environments/deletion-worker';
import { EnvironmentController } from './environments/environment.controller';
import { EnvironmentService } from './environments/environment.service';
import { IN_CLUSTER, KubernetesCluster } from './environments/kubernetes-cluster';
import { contextsOf, OpenContexts } from './environments/open-contexts';
import { DnsWriter } from './hostname/dns-writer';
import { Exposure } from './hostname/exposure';
import { HostnameController } from './hostname/hostname.controller';
import { HostnameService } from './hostname/hostname.service';
import { FrontPageController } from './platform/front-page.controller';
import { PlatformController } from './platform/platform.controller';
import { RoleController } from './roles/role.controller';
import { RoleService } from './roles/role.service';
import { UserController } from './users/user.controller';
import { UserService } from './users/user.service';
import { UserRoleController } from './users/user-role.controller';
import { UserRoleService } from './users/user-role.service';
import { WhoamiController } from './whoami/whoami.controller';

/** The platform's description, who the caller is, who may do what in the tenant, and its environments. */
@Module({})
export class PlatformModule {
  static register(context: ServiceContext, config: PlatformConfig): DynamicModule {
    return {
      module: PlatformModule,
      imports: [ServiceModule.register(context)],
      controllers: [
        FrontPageController,
        PlatformController,
        WhoamiController,
        EnvironmentController,
        HostnameController,
        UserController,
        UserRoleController,
        RoleController,
      ],
      providers: [
        { provide: PlatformConfig, useValue: config },
        { provide: OpenContexts, useFactory: () => openContexts(config) },
        { provide: Exposure, useFactory: () => new Exposure(dnsWriter(config)) },
        {
          provide: DeletionWorker,
          inject: [Exposure],
          useFactory: (exposure: Exposure) => deletionWorker(context, config, exposure),
        },
        { provide: DeletionFigures, useFactory: () => new DeletionFigures(context) },
        EnvironmentService,
        HostnameService,
        UserService,
        UserRoleService,
        RoleService,
      ],
    };
  }
}

function openContexts({ CLUSTER_KUBECONFIG: kubeconfig, CLUSTER_CONTEXTS }: PlatformConfig): OpenContexts {
  const hasFile = kubeconfig !== undefined && kubeconfig !== IN_CLUSTER;
  return new OpenContexts(hasFile ? contextsOf(CLUSTER_CONTEXTS) : undefined);
}

function deletionWorker(
  { database, log }: ServiceContext,
  config: PlatformConfig,
  exposure: Exposure,
): DeletionWorker {
  const { CLUSTER_KUBECONFIG: kubeconfig } = config;
  const contexts = openContexts(config);
  const cluster = kubeconfig === undefined ? undefined : new KubernetesCluster({ kubeconfig, contexts });
  const unexpose = exposure.configured ? (hostname: string) => exposure.unexpose(hostname) : undefined;
  return new DeletionWorker({ database, log, cluster, unexpose });
}

const DNS_PORT = 53;

function dnsWriter(config: PlatformConfig): DnsWriter | undefined {
  const { DNS_SERVER, DNS_TSIG_NAME: name, DNS_TSIG_ALGORITHM: algorithm, DNS_TSIG_SECRET: secret } = config;
  if (DNS_SERVER === undefined || secret === undefined) return undefined;
  const [host = '', port = DNS_PORT] = DNS_SERVER.split(':');
  return new DnsWriter({
    server: { host, port: Number(port) },
    zone: config.PLATFORM_SERVICES_ZONE,
    // Read for each update, because the secret may rotate.
    key: () => ({ name, algorithm, secret: config.DNS_TSIG_SECRET ?? secret }),
  });
}

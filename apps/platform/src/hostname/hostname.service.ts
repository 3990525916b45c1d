import { Injectable } from '@nestjs/common';
import { ApiError, notFound } from '@plat/contracts/core';
import type { Hostname } from '@plat/contracts/platform';
import { Database } from '@plat/database';
import type { Caller } from '@plat/service';
import { type EnvironmentRow, findEnvironment } from '../environments/environment.queries';
import { Exposure } from './exposure';
import { namespaceOf, updateExposedHostname } from './hostname.queries';

/** Exposes the caller's environments under public names, and removes these names. Decision E4. */
@Injectable()
export class HostnameService {
  constructor(
    private readonly database: Database,
    private readonly exposure: Exposure,
  ) {}

  /** @throws NOT_FOUND, CONFLICT while the environment is being deleted, NOT_IMPLEMENTED, SERVICE_UNAVAILABLE */
  async put(caller: Caller, environmentId: string, targetIp: string): Promise<Hostname> {
    const environment = await this.find(caller, environmentId);
    if (environment.status === 'deleting') {
      throw new ApiError('CONFLICT', { message: 'The environment is being deleted.' });
    }
    const namespace = await namespaceOf(this.database, caller, environment.name);
    const hostname = await this.exposure.expose(namespace, targetIp);
    const [exposed] = await updateExposedHostname(this.database, caller, { environmentId, hostname });
    if (!exposed) {
      // The environment was deleted meanwhile. Its clean-up may have come before the record, which would then stay.
      await this.exposure.unexpose(namespace);
      throw notFound('environment');
    }
    return { hostname, targetIp };
  }

  /** @throws NOT_FOUND, NOT_IMPLEMENTED, SERVICE_UNAVAILABLE */
  async remove(caller: Caller, environmentId: string): Promise<void> {
    const environment = await this.find(caller, environmentId);
    await this.exposure.unexpose(await namespaceOf(this.database, caller, environment.name));
    await updateExposedHostname(this.database, caller, { environmentId, hostname: null });
  }

  private async find(caller: Caller, environmentId: string): Promise<EnvironmentRow> {
    const [environment] = await findEnvironment(this.database, caller, environmentId);
    if (!environment) throw notFound('environment');
    return environment;
  }
}

import { Injectable } from '@nestjs/common';
import { ApiError, notFound } from '@plat/contracts/core';
import type { Hostname } from '@plat/contracts/platform';
import { Database, violates } from '@plat/database';
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

  /**
   * The environment takes the name before the record is written, so that no two write one record.
   *
   * @throws NOT_FOUND; CONFLICT while the environment is being deleted, or if another one has the name; NOT_IMPLEMENTED,
   * SERVICE_UNAVAILABLE
   */
  async put(caller: Caller, environmentId: string, targetIp: string): Promise<Hostname> {
    const environment = await this.find(caller, environmentId);
    if (environment.status === 'deleting') {
      throw new ApiError('CONFLICT', { message: 'The environment is being deleted.' });
    }
    const hostname = await this.hostnameOf(caller, environment);
    await this.take(caller, environment, hostname);
    try {
      await this.exposure.expose(hostname, targetIp);
    } catch (error) {
      await this.record(caller, environment, environment.exposed_hostname);
      throw error;
    }
    const [exposed] = await this.record(caller, environment, hostname);
    if (!exposed) {
      // The environment was deleted meanwhile. Its clean-up may have come before the record, which would then stay.
      await this.exposure.unexpose(hostname);
      throw notFound('environment');
    }
    return { hostname, targetIp };
  }

  /** A record of the same name that is another environment's is left. @throws NOT_FOUND, NOT_IMPLEMENTED, SERVICE_UNAVAILABLE */
  async remove(caller: Caller, environmentId: string): Promise<void> {
    const environment = await this.find(caller, environmentId);
    const hostname = await this.hostnameOf(caller, environment);
    if (environment.exposed_hostname === null) return;
    await this.exposure.unexpose(hostname);
    await this.record(caller, environment, null);
  }

  private async hostnameOf(caller: Caller, { name }: EnvironmentRow): Promise<string> {
    return this.exposure.hostnameOf(await namespaceOf(this.database, caller, name));
  }

  private async take(caller: Caller, environment: EnvironmentRow, hostname: string): Promise<void> {
    try {
      const [taken] = await this.record(caller, environment, hostname);
      if (!taken) throw notFound('environment');
    } catch (error) {
      if (!violates(error, 'environments_exposed_hostname')) throw error;
      throw new ApiError('CONFLICT', { message: `Another environment has the public name ${hostname}.` });
    }
  }

  private record(caller: Caller, { environment_id: environmentId }: EnvironmentRow, hostname: string | null) {
    return updateExposedHostname(this.database, caller, { environmentId, hostname });
  }

  private async find(caller: Caller, environmentId: string): Promise<EnvironmentRow> {
    const [environment] = await findEnvironment(this.database, caller, environmentId);
    if (!environment) throw notFound('environment');
    return environment;
  }
}

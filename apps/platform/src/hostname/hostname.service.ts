import { Injectable } from '@nestjs/common';
import { ApiError, notFound } from '@plat/contracts/core';
import type { Hostname } from '@plat/contracts/platform';
import { Database } from '@plat/database';
import type { Caller } from '@plat/service';
import { type EnvironmentRow, findEnvironment } from '../environments/environment.queries';
import { isTaken, setExposedHostname, whileNameIsHeld } from '../environments/public-name.queries';
import { Exposure } from './exposure';
import { namespaceOf, updateExposedHostname } from './hostname.queries';

/** Exposes the caller's environments under public names, and removes these names. Rule E4. */
@Injectable()
export class HostnameService {
  constructor(
    private readonly database: Database,
    private readonly exposure: Exposure,
  ) {}

  /**
   * The environment takes the name before the record is written, and keeps it if this process ends meanwhile or the name
   * server does not confirm: the record may be there, and goes with the name.
   *
   * @throws NOT_FOUND; CONFLICT while the environment is being deleted, or if another one has the name; NOT_IMPLEMENTED,
   * SERVICE_UNAVAILABLE
   */
  async put(caller: Caller, environmentId: string, targetIp: string): Promise<Hostname> {
    const environment = await this.find(caller, environmentId);
    expectStanding(environment);
    const hostname = await this.hostnameOf(caller, environment);
    await this.take(caller, { environmentId, hostname });
    const name = { scope: caller, environmentId, hostname };
    const written = await whileNameIsHeld(this.database, name, async (_tx, held) => {
      expectStanding(held);
      try {
        await this.exposure.expose(hostname, targetIp);
        return {};
      } catch (error) {
        // Returned, since an error would undo that the name is taken.
        return { error };
      }
    });
    if (written === undefined) throw takenElsewhere(hostname);
    if (written.error !== undefined) throw written.error;
    return { hostname, targetIp };
  }

  /** A record of the same name that is another environment's is left. @throws NOT_FOUND, NOT_IMPLEMENTED, SERVICE_UNAVAILABLE */
  async remove(caller: Caller, environmentId: string): Promise<void> {
    const environment = await this.find(caller, environmentId);
    const hostname = await this.hostnameOf(caller, environment);
    if (environment.exposed_hostname === null) return;
    const name = { scope: caller, environmentId, hostname };
    await whileNameIsHeld(this.database, name, async (tx, held) => {
      if (held === undefined) return;
      await this.exposure.unexpose(hostname);
      await setExposedHostname(tx, caller, { environmentId, hostname: null });
    });
  }

  private async hostnameOf(caller: Caller, { name }: EnvironmentRow): Promise<string> {
    return this.exposure.hostnameOf(await namespaceOf(this.database, caller, name));
  }

  private async take(caller: Caller, name: { environmentId: string; hostname: string }): Promise<void> {
    try {
      const [taken] = await updateExposedHostname(this.database, caller, name);
      if (!taken) throw notFound('environment');
    } catch (error) {
      throw isTaken(error) ? takenElsewhere(name.hostname) : error;
    }
  }

  private async find(caller: Caller, environmentId: string): Promise<EnvironmentRow> {
    const [environment] = await findEnvironment(this.database, caller, environmentId);
    if (!environment) throw notFound('environment');
    return environment;
  }
}

/** @throws NOT_FOUND; CONFLICT while the environment is being deleted */
function expectStanding(environment: Pick<EnvironmentRow, 'status'> | undefined): void {
  if (environment === undefined) throw notFound('environment');
  if (environment.status !== 'deleting') return;
  throw new ApiError('CONFLICT', { message: 'The environment is being deleted.' });
}

const takenElsewhere = (hostname: string): ApiError =>
  new ApiError('CONFLICT', { message: `Another environment has the public name ${hostname}.` });

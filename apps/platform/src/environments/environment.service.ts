import { Injectable } from '@nestjs/common';
import { ApiError, invalidField, newId, notFound } from '@plat/contracts/core';
import type { CreateEnvironment, Environment } from '@plat/contracts/platform';
import { Database, violates } from '@plat/database';
import { answerList, type Caller, type ListAnswer } from '@plat/service';
import { DeletionWorker } from './deletion-worker';
import { findEnvironment, insertEnvironment, pageEnvironments, requestDeletion } from './environment.queries';
import { toEnvironment } from './environment.response';
import { OpenContexts } from './open-contexts';

/** Environments, to which builds without a review belong. Rule E3. */
@Injectable()
export class EnvironmentService {
  constructor(
    private readonly database: Database,
    private readonly deletions: DeletionWorker,
    private readonly contexts: OpenContexts,
  ) {}

  list(caller: Caller): Promise<ListAnswer<Environment>> {
    return answerList({
      page: (after, rows) => pageEnvironments(this.database, caller, { after, rows }),
      toItem: toEnvironment,
    });
  }

  /** @throws NOT_FOUND */
  async get(caller: Caller, environmentId: string): Promise<Environment> {
    const [row] = await findEnvironment(this.database, caller, environmentId);
    if (!row) throw notFound('environment');
    return toEnvironment(row);
  }

  /** @throws INVALID_BODY for a name too long together with the tenant's and for a cluster that may not be named, CONFLICT */
  async create(caller: Caller, body: CreateEnvironment): Promise<Environment> {
    this.requireOpenContext(body.kubernetesContext);
    try {
      const [row] = await insertEnvironment(this.database, caller, { ...body, environmentId: newId() });
      return toEnvironment(row!);
    } catch (error) {
      if (!violates(error, 'environments_tenant_id_name_key')) throw error;
      throw new ApiError('CONFLICT', { message: 'Another environment of the tenant has that name.' });
    }
  }

  /** Requests the deletion, which runs in the background. May be repeated. @throws NOT_FOUND */
  async delete(caller: Caller, environmentId: string): Promise<Environment> {
    const [row] = await requestDeletion(this.database, caller, environmentId);
    if (!row) throw notFound('environment');
    this.deletions.wake();
    return toEnvironment(row);
  }

  private requireOpenContext(context: string | undefined): void {
    if (context === undefined || this.contexts.has(context)) return;
    throw invalidField(
      'kubernetesContext',
      'kubernetesContext names no cluster that environments may run in.',
    );
  }
}

import { randomUUID } from 'node:crypto';
import { applyDirectory, Database, LOGIN_ROLES, type TenantScope } from '@plat/database';
import { createLog } from '@plat/service';
import {
  ClusterDouble,
  createTestDatabase,
  proveScope,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { updateExposedHostname } from '../hostname/hostname.queries';
import { claimDeletion, finishDeletion } from './deletion.queries';
import { DeletionWorker } from './deletion-worker';
import { findEnvironment, insertEnvironment, requestDeletion } from './environment.queries';

describe('the deletion of an environment, a job that survives the end of its workers', () => {
  let owner: TestDatabase;
  let database: Database;
  let scope: TenantScope;
  const logged: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void logged.push(line) });

  beforeAll(async () => {
    owner = await createTestDatabase();
    await applyDirectory(owner.ownerUrl, testDirectory('https://issuer.example'));
    scope = await proveScope(owner, 'alice');
    database = await Database.connect({
      url: owner.url(LOGIN_ROLES.platform),
      applicationName: 'spec',
      poolSizeMax: 4,
      preparedStatements: true,
    });
  });
  afterAll(async () => {
    await database.close();
    await owner.drop();
  });
  afterEach(() => owner.query('DELETE FROM environments.deletions'));

  /** An environment that is to be deleted, its namespace, and its public name if it is exposed. */
  const createForDeletion = async ({ isExposed = false } = {}) => {
    const [environmentId, name] = [randomUUID(), `e${randomUUID().slice(0, 8)}x`];
    const hostname = isExposed ? `*.acme-${name}.services.example` : null;
    await insertEnvironment(database, scope, { environmentId, name, type: 'runtime' });
    await updateExposedHostname(database, scope, { environmentId, hostname });
    await requestDeletion(database, scope, environmentId);
    return { environmentId, namespace: `acme-${name}`, hostname };
  };
  const find = async (environmentId: string) => (await findEnvironment(database, scope, environmentId))[0];
  const makeDue = () => owner.query('UPDATE environments.deletions SET due_at = clock_timestamp()');
  /** Runs a worker until no job is due. */
  const work = async (tools: object = {}, pace: object = {}) => {
    const worker = new DeletionWorker({ database, log, ...tools }, { attemptsMax: 3, ...pace });
    worker.wake();
    await worker.idle();
    await worker.onModuleDestroy();
  };

  it('removes the namespace, then the public name, then the environment', async () => {
    const { environmentId, namespace, hostname } = await createForDeletion({ isExposed: true });
    const cluster = new ClusterDouble();
    cluster.namespaces.set(namespace, 'active');
    cluster.environments.set(namespace, environmentId);
    const unexposed: string[] = [];
    await work({ cluster, unexpose: async (name: string) => void unexposed.push(name) });
    expect(cluster.namespaces.size).toBe(0);
    expect(unexposed).toEqual([hostname]);
    expect(await find(environmentId)).toBeUndefined();
    expect(await owner.query('SELECT FROM environments.deletions')).toEqual([]);
  });

  it('leaves a record of its name that is not its own: tenants `a` and `a-b` may have the same', async () => {
    const { environmentId } = await createForDeletion();
    const unexposed: string[] = [];
    await work({ unexpose: async (name: string) => void unexposed.push(name) });
    expect([await find(environmentId), unexposed]).toEqual([undefined, []]);
  });

  it('removes the environment alone if the deployment has no clusters', async () => {
    const { environmentId } = await createForDeletion();
    await work();
    expect(await find(environmentId)).toBeUndefined();
  });

  it('"A cleanup failure does not fail the delete and is only logged"', async () => {
    const { environmentId } = await createForDeletion({ isExposed: true });
    await work({ unexpose: () => Promise.reject(new Error('the name server is on fire')) });
    expect(await find(environmentId)).toBeUndefined();
    expect(logged.join('')).toContain('the name server is on fire');
  });

  it('is taken up in turn with those of other tenants, however many a tenant has and however old they are', async () => {
    for (let n = 0; n < 5; n++) await createForDeletion();
    const mallory = await proveScope(owner, 'mallory');
    const environmentId = randomUUID();
    await insertEnvironment(database, mallory, {
      environmentId,
      name: `e${environmentId.slice(0, 8)}x`,
      type: 'runtime',
    });
    await requestDeletion(database, mallory, environmentId);
    const firsts = new Set<string>();
    for (let n = 0; n < 10; n++) {
      const leaseId = `00000000-0000-4000-8000-00000000000${n}`;
      const [job] = await claimDeletion(database, { leaseId, leaseSeconds: 60 });
      firsts.add(job!.tenant_id);
      await owner.query('UPDATE environments.deletions SET due_at = created_at');
    }
    expect(firsts).toEqual(new Set([scope.tenantId, mallory.tenantId]));
  });

  it('is postponed in the table while the namespace is terminating', async () => {
    const { environmentId, namespace } = await createForDeletion();
    const cluster = new ClusterDouble();
    cluster.namespaces.set(namespace, 'held');
    cluster.environments.set(namespace, environmentId);
    await work({ cluster });
    expect(await find(environmentId)).toMatchObject({ status: 'deleting' });
    const [job] = await owner.query<{ waits: boolean }>(
      'SELECT due_at > clock_timestamp() AND lease_id IS NULL AS waits FROM environments.deletions',
    );
    expect(job).toEqual({ waits: true });
    cluster.namespaces.delete(namespace);
    await makeDue();
    await work({ cluster });
    expect(await find(environmentId)).toBeUndefined();
  });

  it('ends deletion-blocked with deleteError after its last attempt, and can be requested again', async () => {
    const { environmentId } = await createForDeletion();
    const cluster = new ClusterDouble();
    cluster.refusal = 'no';
    await work({ cluster }, { pauseSecondsMax: 0 });
    expect(cluster.asked).toHaveLength(3);
    expect(await find(environmentId)).toMatchObject({ status: 'deletion-blocked', delete_error: 'no' });
    const lines = logged
      .filter((line) => line.includes(environmentId))
      .map((line) => JSON.parse(line) as object);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'environment deletion blocked', reason: 'no' }),
    );
    cluster.refusal = undefined;
    const [again] = await requestDeletion(database, scope, environmentId);
    expect(again).toMatchObject({ status: 'deleting', delete_error: null });
    await work({ cluster });
    expect(await find(environmentId)).toBeUndefined();
  });

  it("is blocked at once by a namespace that is not the environment's, and goes on when it is", async () => {
    const { environmentId, namespace } = await createForDeletion();
    const cluster = new ClusterDouble();
    cluster.namespaces.set(namespace, 'active');
    const unexposed: string[] = [];
    const unexpose = async (name: string) => void unexposed.push(name);
    await work({ cluster, unexpose });
    expect(await find(environmentId)).toMatchObject({
      status: 'deletion-blocked',
      delete_error: `The namespace ${namespace} is not known to be this environment's.`,
    });
    expect([cluster.asked.length, cluster.namespaces.has(namespace), unexposed]).toEqual([1, true, []]);
    cluster.environments.set(namespace, environmentId);
    await requestDeletion(database, scope, environmentId);
    await work({ cluster });
    expect(await find(environmentId)).toBeUndefined();
  });

  it('is taken up again when the lease of a worker that died has run out, and not before', async () => {
    const { environmentId } = await createForDeletion();
    await claimDeletion(database, { leaseId: randomUUID(), leaseSeconds: 60 });
    await work();
    expect(await find(environmentId)).toMatchObject({ status: 'deleting' });
    await makeDue();
    await work();
    expect(await find(environmentId)).toBeUndefined();
  });

  it('ignores a worker whose lease has passed to another worker', async () => {
    const { environmentId } = await createForDeletion();
    const [late] = await claimDeletion(database, { leaseId: randomUUID(), leaseSeconds: 60 });
    await makeDue();
    await claimDeletion(database, { leaseId: randomUUID(), leaseSeconds: 60 });
    await finishDeletion(database, late!);
    expect(await find(environmentId)).toMatchObject({ status: 'deleting' });
  });

  it('is claimed by one worker, however many look for jobs at once', async () => {
    await Promise.all([createForDeletion(), createForDeletion(), createForDeletion()]);
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claimDeletion(database, { leaseId: randomUUID(), leaseSeconds: 60 })),
    );
    const taken = claims.flat().map((job) => job.environment_id);
    expect(new Set(taken).size).toBe(3);
    expect(taken).toHaveLength(3);
  });

  it('can be claimed again at once when its worker stops', async () => {
    const { environmentId } = await createForDeletion();
    let reached: () => void;
    const inside = new Promise<void>((resolve) => (reached = resolve));
    const cluster = {
      removeNamespace: (_: object, signal: AbortSignal) => {
        reached();
        return new Promise<never>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    };
    const worker = new DeletionWorker({ database, log, cluster });
    worker.wake();
    await inside;
    await worker.onModuleDestroy();
    await work();
    expect(await find(environmentId)).toBeUndefined();
  });

  it('cannot be finished or requested by another tenant', async () => {
    await createForDeletion();
    const foreign = await proveScope(owner, 'mallory');
    const [job] = await claimDeletion(database, { leaseId: randomUUID(), leaseSeconds: 60 });
    await finishDeletion(database, { ...job!, proof: foreign.proof });
    expect(await find(job!.environment_id)).toMatchObject({ status: 'deleting' });
    expect(await requestDeletion(database, foreign, job!.environment_id)).toEqual([]);
  });
});

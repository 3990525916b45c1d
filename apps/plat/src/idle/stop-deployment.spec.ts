import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSelfSignedCertificate } from '@plat/testing';
import { type ClusterApi, ownCluster } from './cluster-api';
import { stopDeployment } from './stop-deployment';

const DEPLOYMENT = { namespace: 'acme-dev', name: 'acme-runtime' };
const STOP = { at: new Date('2026-11-22T12:00:00Z'), reason: 'Idle for at least 5m.' };
const PATH = '/apis/apps/v1/namespaces/acme-dev/deployments/acme-runtime';

describe('the stop of an environment by itself, Rule H15,', () => {
  let server: Server;
  let api: ClusterApi;
  let folder: string;
  let seen: Array<{ call: string; body?: unknown; type?: string; token?: string }>;
  let answers: Record<string, { status: number; body: object }>;

  beforeEach(async () => {
    [seen, answers] = [[], {}];
    const identity = await makeSelfSignedCertificate();
    server = createServer(identity, (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const call = `${request.method} ${request.url}`;
        const { 'content-type': type, authorization: token } = request.headers;
        seen.push({ call, type, token, body: text === '' ? undefined : (JSON.parse(text) as unknown) });
        const running = { metadata: { uid: 'uid-1' }, spec: { replicas: 1 } };
        const { status, body } = answers[call] ?? { status: 200, body: running };
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    folder = await mkdtemp(join(tmpdir(), 'plat-account-'));
    await writeFile(join(folder, 'token'), 'token-1\n');
    await writeFile(join(folder, 'ca.crt'), identity.cert);
    const { port } = server.address() as AddressInfo;
    api = ownCluster({ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) }, folder);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  it('scales to 0 with the token of the pod, then notes the reason on the Deployment and as an event', async () => {
    expect(await stopDeployment(api, DEPLOYMENT, STOP)).toEqual({ outcome: 'stopped', warnings: [] });
    const merge = 'application/merge-patch+json';
    expect(seen).toMatchObject([
      { call: `GET ${PATH}`, token: 'Bearer token-1' },
      { call: `PATCH ${PATH}/scale`, type: merge, body: { spec: { replicas: 0 } } },
      {
        call: `PATCH ${PATH}/status`,
        type: merge,
        body: {
          metadata: {
            annotations: {
              'plat.dev/last-stop-at': '2026-11-22T12:00:00.000Z',
              'plat.dev/last-stop-reason': 'Idle for at least 5m.',
            },
          },
        },
      },
      {
        call: 'POST /api/v1/namespaces/acme-dev/events',
        body: {
          reason: 'IdleStop',
          message: STOP.reason,
          involvedObject: { kind: 'Deployment', uid: 'uid-1' },
        },
      },
    ]);
  });

  it('leaves a Deployment alone that has 0 replicas already', async () => {
    answers[`GET ${PATH}`] = { status: 200, body: { spec: { replicas: 0 } } };
    expect(await stopDeployment(api, DEPLOYMENT, STOP)).toEqual({ outcome: 'was stopped', warnings: [] });
    expect(seen).toHaveLength(1);
  });

  it('that is refused repeats the beginning of a long message', async () => {
    answers[`GET ${PATH}`] = { status: 403, body: { message: 'no '.repeat(200_000) } };
    const failure: unknown = await stopDeployment(api, DEPLOYMENT, STOP).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'STOP_REFUSED' });
    expect((failure as Error).message.length).toBeLessThan(1200);
  });

  it('that is refused writes nothing that claims a stop', async () => {
    answers[`PATCH ${PATH}/scale`] = { status: 403, body: { message: 'deployments is forbidden' } };
    await expect(stopDeployment(api, DEPLOYMENT, STOP)).rejects.toMatchObject({
      code: 'STOP_REFUSED',
      message: `PATCH ${PATH}/scale got 403: deployments is forbidden`,
    });
    expect(seen).toHaveLength(2);
  });

  it('stays a stop if its reason cannot be noted', async () => {
    answers[`PATCH ${PATH}/status`] = { status: 403, body: { message: 'no patch' } };
    const { outcome, warnings } = await stopDeployment(api, DEPLOYMENT, STOP);
    expect(outcome).toBe('stopped');
    expect(warnings).toEqual([`The stop is not noted: PATCH ${PATH}/status got 403: no patch`]);
    expect(seen.at(-1)?.call).toMatch(/events$/);
  });

  it('trusts no server with another certificate, and sends it no token', async () => {
    await writeFile(join(folder, 'ca.crt'), (await makeSelfSignedCertificate()).cert);
    await expect(stopDeployment(api, DEPLOYMENT, STOP)).rejects.toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
    });
    expect(seen).toEqual([]);
  });

  it('outside of a cluster is refused', () => {
    expect(() => ownCluster({})).toThrow(expect.objectContaining({ code: 'NOT_A_POD' }) as Error);
  });
});

/**
 * @peers powerdns knot bind9
 * @paths apps/platform libs
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Secret } from '@plat/service';
import {
  addressesAt,
  bind9,
  knot,
  type NameServerPeer,
  powerDns,
  startNameServer,
  startTestService,
} from '@plat/testing';
import type { PlatformConfig } from '../config';
import { platformService } from '../service';

const DELETION_GAP_MS = 50;

async function openService({ host, port, zone, key }: NameServerPeer) {
  const settings = {
    PLATFORM_SERVICES_ZONE: zone,
    DNS_SERVER: `${host}:${port}`,
    DNS_TSIG_NAME: key.name,
    DNS_TSIG_SECRET: new Secret(key.secret),
  };
  const service = await startTestService({
    ...platformService,
    module: (context, config: PlatformConfig) =>
      platformService.module(context, Object.assign(config, settings)),
  });
  const { body } = await service.send('alice', 'POST /v1/environments', { name: 'shop', type: 'runtime' });
  return { service, path: `/v1/environments/${(body as { environmentId: string }).environmentId}` as const };
}

describe.each(Object.entries({ powerDns, knot, bind9 }))('an environment in a zone of %s', (_, setUp) => {
  let server: NameServerPeer;
  let opened: Awaited<ReturnType<typeof openService>>;
  beforeAll(async () => {
    server = await startNameServer(setUp, 'hmac-sha256');
    opened = await openService(server);
  });
  afterAll(async () => {
    await opened.service.stop();
    await server.stop();
  });

  const visit = () => addressesAt(server, `web.acme-shop.${server.zone}`);
  const put = (targetIp: string) => opened.service.send('alice', `PUT ${opened.path}/hostname`, { targetIp });

  it('PUT hostname: names below it resolve to the target, and to the new target after another PUT', async () => {
    expect(await put('192.0.2.1')).toMatchObject({
      status: 200,
      body: { hostname: `*.acme-shop.${server.zone}`, targetIp: '192.0.2.1' },
    });
    expect(await visit()).toEqual([{ address: '192.0.2.1', ttl: 60 }]);
    await put('192.0.2.2');
    expect(await visit()).toEqual([{ address: '192.0.2.2', ttl: 60 }]);
  });

  it('DELETE hostname: names below it no longer resolve', async () => {
    await put('192.0.2.1');
    expect((await opened.service.send('alice', `DELETE ${opened.path}/hostname`)).status).toBe(204);
    expect(await visit()).toEqual([]);
  });

  it('DELETE environment: names below it no longer resolve, once the environment is deleted', async () => {
    const { send } = opened.service;
    const { body } = await send('alice', 'POST /v1/environments', { name: 'gone', type: 'runtime' });
    const path = `/v1/environments/${(body as { environmentId: string }).environmentId}` as const;
    await send('alice', `PUT ${path}/hostname`, { targetIp: '192.0.2.1' });
    expect(await addressesAt(server, `web.acme-gone.${server.zone}`)).toHaveLength(1);
    await send('alice', `DELETE ${path}`);
    while ((await send('alice', `GET ${path}`)).status !== 404) await delay(DELETION_GAP_MS);
    expect(await addressesAt(server, `web.acme-gone.${server.zone}`)).toEqual([]);
  });

  it('PUT hostname: 503 while the server is gone', async () => {
    await server.stop();
    expect(await put('192.0.2.3')).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    server = await startNameServer(setUp, 'hmac-sha256');
  });
});

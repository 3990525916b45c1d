/**
 * @peers kubernetes forward-node kubectl knot bind9
 * @paths apps/plat apps/platform/src libs/environments libs/testing/src/kubernetes libs/testing/src/exposure
 * @paths libs/testing/src/name-servers
 */
import { bind9, knot, type PlatformProcess, startPlatformProcess } from '@plat/testing';
import { ExposureCluster, TARGET_IP } from '../black-box/exposure-cluster';

describe.each(Object.entries({ knot, bind9 }))('an alias configured, and a zone of %s:', (_, nameServer) => {
  let stand: ExposureCluster;
  let platform: PlatformProcess;
  beforeAll(async () => {
    stand = await ExposureCluster.start(nameServer);
    platform = await startPlatformProcess(stand.names);
    await stand.signIn(platform);
  }, 180_000);
  afterAll(async () => {
    await platform.stop();
    await stand.stop();
  });

  const expose = (ip = TARGET_IP) =>
    stand.plat('expose', 'acme', 'dev', 'web', '--ip', ip, '--no-wait', '--json');
  const addresses = () => stand.addresses('web.acme-dev');

  it('plat expose has the platform write the record over RFC 2136; the ingress step is unaffected', async () => {
    const { code, json } = await expose();
    expect(json()).toMatchObject({
      dnsPath: 'platform',
      wildcardName: '*.acme-dev.services.lab.example',
      targetIp: TARGET_IP,
    });
    expect(code).toBe(0);
    expect(await addresses()).toEqual([{ address: TARGET_IP, ttl: 60 }]);
    expect(await stand.ingress('expose-web')).toBeDefined();
  });

  it('plat expose is idempotent, and replaces the address', async () => {
    await expose();
    const ingress = await stand.ingress('expose-web');
    expect((await expose()).code).toBe(0);
    expect(await stand.ingress('expose-web')).toEqual(ingress);
    expect((await expose('192.0.2.7')).code).toBe(0);
    expect(await addresses()).toEqual([{ address: '192.0.2.7', ttl: 60 }]);
  });

  it('plat unexpose has the platform remove the record, and nothing else', async () => {
    await expose();
    expect((await stand.plat('unexpose', 'acme', 'dev')).code).toBe(0);
    expect(await addresses()).toEqual([]);
    expect(await stand.ingress('expose-web')).toBeDefined();
  });

  it('plat expose with an override takes the direct path, in which this cluster has no name server', async () => {
    const overrides = ['--services-zone', stand.names.zone, '--platform-namespace', 'ops-main'];
    const { code, stdout } = await stand.plat(
      ...['expose', 'acme', 'dev', 'other', '--ip', TARGET_IP, '--json', ...overrides],
    );
    expect(code).toBe(1);
    expect(stdout).toContain('ops-dns');
    expect(await addresses()).toEqual([]);
  });

  it('plat delete removes the record and the rest', async () => {
    await expose();
    expect((await stand.plat('delete', 'acme', 'dev', '--yes')).code).toBe(0);
    expect(await addresses()).toEqual([]);
    expect(await stand.ingress('expose-web')).toBeUndefined();
  });
});

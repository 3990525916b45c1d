/**
 * @peers kubernetes forward-node kubectl powerdns cert-manager pebble nginx
 * @paths apps/plat libs/environments libs/testing/src/kubernetes libs/testing/src/exposure
 * @paths libs/testing/src/name-servers
 */
import { type PlatformProcess, powerDns, startPlatformProcess, startTestNameServer } from '@plat/testing';
import { EDGE_HOST, ExposureCluster, TARGET_IP } from '../black-box/exposure-cluster';
import { PublicEdge } from '../black-box/public-edge';
import { readyWarning } from './ready-check';

const HOST = 'web.acme-dev.services.lab.example';
const GROUP = 'apis/cert-manager.io/v1';

// Each case continues from the one before, because servers and certificate take most of the time.
describe.each(['direct', 'platform'] as const)('an environment exposed under TLS, %s path,', (dnsPath) => {
  let stand: ExposureCluster;
  let edge: PublicEdge;
  let platform: PlatformProcess | undefined;
  beforeAll(async () => {
    stand = await ExposureCluster.start(powerDns);
    if (dnsPath === 'direct') {
      await stand.addAdminPod();
    } else {
      platform = await startPlatformProcess(stand.names);
      await stand.signIn(platform);
    }
    edge = await PublicEdge.start(stand);
  }, 180_000);
  afterAll(async () => {
    await edge.stop();
    await platform?.stop();
    await stand.stop();
  });

  const expose = (...flags: string[]) =>
    stand.plat(
      ...['expose', 'acme', 'dev', 'web', '--ip', TARGET_IP, '--no-wait', '--json', ...edge.flags, ...flags],
    );
  /** Reads the objects that expose applies: Secret, Issuer, Certificate and Ingress. */
  const applied = () =>
    Promise.all([
      stand.object('secrets/acme-dev-dns01-token'),
      stand.object('issuers/acme-dev-wildcard-issuer', GROUP),
      stand.object('certificates/acme-dev-wildcard', GROUP),
      stand.ingress('expose-web'),
    ]);

  it('answers over https with a certificate for the wildcard', async () => {
    const { code, json } = await expose();
    expect(json()).toMatchObject({
      hostname: HOST,
      scheme: 'https',
      tlsEnabled: true,
      tlsSecretName: 'acme-dev-wildcard-tls',
      dnsPath,
    });
    expect(code).toBe(0);
    await edge.certify();
    expect(edge.broker.answered).toEqual([
      '204 PUT _acme-challenge.acme-dev.services.lab.example',
      '204 DELETE _acme-challenge.acme-dev.services.lab.example',
    ]);
    await edge.serve();
    expect(await edge.visit(HOST)).toEqual({
      status: 200,
      body: `web of ${HOST}`,
      certifiedNames: 'DNS:*.acme-dev.services.lab.example',
    });
  }, 120_000);

  it('is ready by http, and by https for those alone who trust the authority', async () => {
    const interrupted = new AbortController().signal;
    // The record leads to TARGET_IP, which no edge of this machine can have.
    const names = await startTestNameServer([[EDGE_HOST]]);
    const place = {
      hostname: HOST,
      targetIp: EDGE_HOST,
      nameServer: names.address,
      waitSeconds: 1,
      interrupted,
    };
    const check = (scheme: 'http' | 'https') => readyWarning({ ...place, scheme, port: edge.port(scheme) });
    expect(await check('http')).toBeUndefined();
    expect(await check('https')).toContain('answers without a valid certificate for it');
    await names.close();
  });

  it('is left as it is by a second expose', async () => {
    const before = await applied();
    expect(before).not.toContain(undefined);
    expect((await expose()).code).toBe(0);
    expect(await applied()).toEqual(before);
    expect((await edge.visit(HOST)).status).toBe(200);
  });

  it('has the token that its file holds at each expose', async () => {
    await edge.replaceToken('another-token');
    expect((await expose()).code).toBe(0);
    const secret = await stand.object('secrets/acme-dev-dns01-token');
    expect(secret?.data).toEqual({ token: Buffer.from('another-token').toString('base64') });
  });

  it('has no tls block any more after --no-tls', async () => {
    expect((await expose('--no-tls')).code).toBe(0);
    expect((await stand.ingress('expose-web'))?.spec).not.toHaveProperty('tls');
  });

  it('loses the record alone by unexpose, and the rest by delete', async () => {
    const before = await applied();
    expect((await stand.plat('unexpose', 'acme', 'dev')).code).toBe(0);
    await expect(edge.visit(HOST)).rejects.toThrow('no address');
    expect(await applied()).toEqual(before);
    expect((await stand.plat('delete', 'acme', 'dev', '--yes')).code).toBe(0);
    expect(await applied()).toEqual([undefined, undefined, undefined, undefined]);
  });
});

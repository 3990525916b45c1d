/**
 * @peers kubernetes forward-node kubectl powerdns
 * @paths apps/plat libs/environments libs/testing/src/kubernetes libs/testing/src/exposure
 * @paths libs/testing/src/name-servers
 */
import { administerPowerDns, type GrantedRule, powerDns } from '@plat/testing';
import { ExposureCluster, TARGET_IP } from '../black-box/exposure-cluster';

let stand: ExposureCluster;
beforeAll(async () => {
  stand = await ExposureCluster.start(powerDns);
  await stand.addAdminPod();
}, 120_000);
afterAll(() => stand.stop());

const expose = (service: string, ...flags: string[]) =>
  stand.plat('expose', 'acme', 'dev', service, '--ip', TARGET_IP, '--no-wait', '--json', ...flags);
/** The whole zone as PowerDNS has it, with its serial number. */
const zone = () => administerPowerDns(stand.names, ['list-zone', stand.names.zone]);

describe('plat expose, direct path', () => {
  it('writes the wildcard record, type A, TTL 60, and applies the ingress', async () => {
    expect(await stand.addresses('web.acme-dev')).toEqual([]);
    const { code, json } = await expose('web');
    expect(json()).toMatchObject({
      hostname: 'web.acme-dev.services.lab.example',
      wildcardName: '*.acme-dev.services.lab.example',
      platformNamespace: 'ops-main',
      dnsPath: 'direct',
      scheme: 'http',
      tlsEnabled: false,
    });
    expect(code).toBe(0);
    for (const name of ['web', 'any']) {
      expect(await stand.addresses(`${name}.acme-dev`)).toEqual([{ address: TARGET_IP, ttl: 60 }]);
    }
    expect(await zone()).toContain(`*.acme-dev.services.lab.example\t60\tIN\tA\t${TARGET_IP}\n`);
    const backend = { service: { name: 'acme-web', port: { number: 80 } } };
    expect(await stand.ingress('expose-web')).toMatchObject({
      metadata: { labels: { 'managed-by': 'expose' } },
      spec: {
        ingressClassName: 'traefik',
        rules: [{ host: 'web.acme-dev.services.lab.example', http: { paths: [{ path: '/', backend }] } }],
      },
    });
  });

  it('is idempotent: a second expose changes neither the zone nor the ingress', async () => {
    await expose('web');
    const [records, ingress] = [await zone(), await stand.ingress('expose-web')];
    expect((await expose('web')).code).toBe(0);
    expect(await zone()).toBe(records);
    expect(await stand.ingress('expose-web')).toEqual(ingress);
  });

  it('ends for several at once as one after the other would', async () => {
    const services = ['one', 'one', 'two', 'two', 'three', 'three'];
    const runs = await Promise.all(services.map((service) => expose(service)));
    expect(runs.filter(({ code }) => code !== 0).map(({ stdout }) => stdout)).toEqual([]);
    expect(await stand.addresses('one.acme-dev')).toEqual([{ address: TARGET_IP, ttl: 60 }]);
    for (const service of services) expect(await stand.ingress(`expose-${service}`)).toBeDefined();
  });

  it('prints with --dry-run both commands verbatim: run by hand, they do what expose does', async () => {
    const before = await zone();
    const { json } = await expose('dry', '--dry-run');
    const { plan } = json<{ plan: string[] }>();
    expect(await zone()).toBe(before);
    expect(await stand.ingress('expose-dry')).toBeUndefined();
    expect(plan).toHaveLength(2);
    for (const line of plan) {
      const [command = '', input] = line.split(' # stdin: ');
      expect(await stand.shell(command, input)).toMatchObject({ code: 0, stderr: '' });
    }
    const [records, ingress] = [await zone(), await stand.ingress('expose-dry')];
    expect(await stand.addresses('dry.acme-dev')).toEqual([{ address: TARGET_IP, ttl: 60 }]);
    expect((await expose('dry')).code).toBe(0);
    expect(await zone()).toBe(records);
    expect(await stand.ingress('expose-dry')).toEqual(ingress);
  });

  it('applies no ingress if the record is not written', async () => {
    const overrides = ['--services-zone', 'other.example', '--platform-namespace', 'ops-main'];
    const { code, stdout, stderr } = await expose('lost', ...overrides);
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain("Zone 'other.example' does not exist");
    expect(await stand.ingress('expose-lost')).toBeUndefined();
  });

  it('leaves the record in place if the ingress fails, and the next run mends it', async () => {
    await stand.configureEnvironment('late');
    const late = () => stand.plat('expose', 'acme', 'late', 'web', '--ip', TARGET_IP, '--no-wait', '--json');
    const failed = await late();
    expect(failed.code).toBe(1);
    expect(failed.json()).toMatchObject({
      code: 'NOT_DEPLOYED',
      message: expect.stringContaining('The record *.acme-late.services.lab.example is written and stays'),
    });
    expect(await stand.addresses('web.acme-late')).toEqual([{ address: TARGET_IP, ttl: 60 }]);
    await stand.cluster.makeNamespace('acme-late');
    expect((await late()).code).toBe(0);
  });
});

it('plat expose names cert-manager if the cluster lacks it', async () => {
  const tokenFile = await stand.write('broker-token', 'a-token\n', 0o600);
  const broker = ['--dns01-broker-url', 'https://broker.lab.example', '--acme-email', 'ops@lab.example'];
  const failed = await expose('secured', '--dns01-token-file', tokenFile, ...broker);
  expect([failed.code, failed.json().code]).toEqual([1, 'CERT_MANAGER_MISSING']);
  expect(await stand.ingress('expose-secured')).toBeUndefined();
});

/** The rights that a person must have for both steps, by namespace. */
const RIGHTS: Record<string, GrantedRule[]> = {
  'ops-main': [
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
    { resources: ['pods'], verbs: ['get', 'list'] },
    { resources: ['pods/exec'], verbs: ['create', 'get'] },
  ],
  'acme-dev': [
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: ['get', 'create', 'patch'] },
  ],
};

it('plat expose needs these rights, and is refused by name without them', async () => {
  await stand.useClusterAs('stranger');
  const refused = await expose('mine');
  expect(refused.json()).toMatchObject({
    code: 'CLUSTER_REFUSED',
    message: expect.stringContaining('deployments'),
  });
  for (const [namespace, rules] of Object.entries(RIGHTS)) await stand.cluster.grant(namespace, rules);
  for (const port of ['80', '81']) expect((await expose('mine', '--port', port)).code).toBe(0);
  expect((await stand.plat('unexpose', 'acme', 'dev')).code).toBe(0);
  await stand.useClusterAs('admin');
});

describe('plat unexpose, direct path', () => {
  it('removes only the wildcard record, and may be repeated', async () => {
    await expose('web');
    const others = (await zone()).replace(/^\*.*\n/m, '');
    for (const _ of [1, 2]) {
      expect((await stand.plat('unexpose', 'acme', 'dev')).code).toBe(0);
      expect(await zone()).toBe(others);
    }
    expect(await stand.addresses('web.acme-dev')).toEqual([]);
    expect(await stand.ingress('expose-web')).toBeDefined();
  });
});

describe('plat delete', () => {
  it('removes the ingress with the namespace, and chains an unexpose', async () => {
    await expose('web');
    expect((await stand.plat('delete', 'acme', 'dev', '--yes')).code).toBe(0);
    expect(await stand.addresses('web.acme-dev')).toEqual([]);
    expect(await stand.ingress('expose-web')).toBeUndefined();
  });

  it('does not fail by a failed clean-up, which is only logged', async () => {
    await stand.configureEnvironment('left');
    await stand.cluster.makeNamespace('acme-left');
    const path = '/apis/apps/v1/namespaces/ops-main/deployments/ops-dns';
    await stand.cluster.requests.send({ method: 'DELETE', path });
    const { code, stderr } = await stand.plat('delete', 'acme', 'left', '--yes');
    expect([code, stderr]).toEqual([0, expect.stringContaining('deployments.apps "ops-dns" not found')]);
  });
});

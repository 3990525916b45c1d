import { join } from 'node:path';
import {
  ENVIRONMENT_ID,
  type ExposureFacts,
  exposureStands,
  TOKEN,
  WILDCARD,
} from '../black-box/exposure-stand';

const IP = ['--ip', '192.0.2.10'];
const RECORD =
  'kubectl --context kind-ops --namespace ops-main exec deploy/ops-dns -- pdnsutil --config-dir=/etc/pdns-shared replace-rrset services.example.com *.acme-dev A 60 192.0.2.10';
const APPLY = 'kubectl --context kind-one --namespace acme-dev apply --filename -';
const RESULT = {
  tenant: 'acme',
  environment: 'dev',
  service: 'mcp',
  backendService: 'acme-mcp',
  namespace: 'acme-dev',
  hostname: 'mcp.acme-dev.services.example.com',
  servicesZone: 'services.example.com',
  wildcardName: WILDCARD,
  targetIp: '192.0.2.10',
  ingressName: 'expose-mcp',
  servicePort: 80,
  scheme: 'http',
  ingressClassName: 'traefik',
  tlsEnabled: false,
  tlsDisabledReason: 'missing DNS-01 broker config: --dns01-token-file, --dns01-broker-url, --acme-email',
  platformNamespace: 'ops-main',
  dnsPath: 'direct',
};

const stands = exposureStands();
const { start } = stands;

async function startWithAlias(facts?: ExposureFacts) {
  const stand = await stands.startWithAlias(facts);
  stand.platform.answer(`PUT /v1/environments/${ENVIRONMENT_ID}/hostname`, {
    body: { hostname: WILDCARD, targetIp: '192.0.2.10' },
  });
  return stand;
}

const lines = (calls: ReadonlyArray<{ argv: string[] }>) => calls.map(({ argv }) => argv.join(' '));
const object = (call?: { input: string }) =>
  JSON.parse(call?.input ?? 'null') as { kind: string; metadata: { name: string }; data?: object };

describe('plat expose, the direct path', () => {
  it('writes the wildcard record, then applies the ingress from stdin. Spec: Client, plat expose, rules 1 and 2', async () => {
    const { expose, calls } = await start();
    const run = await expose(...IP, '--json');
    expect([run.json(), run.code]).toEqual([RESULT, 0]);
    const made = await calls();
    expect(lines(made)).toEqual([RECORD, APPLY]);
    expect(object(made[1])).toMatchObject({ kind: 'Ingress', metadata: { name: 'expose-mcp' } });
  });

  it('prints the URL alone as text, and why it is plain http on stderr. Rule H13', async () => {
    const { expose } = await start();
    const run = await expose(...IP);
    expect(run.stdout).toBe('http://mcp.acme-dev.services.example.com\n');
    expect(run.stderr).toContain('The public name is plain http: missing DNS-01 broker config: ');
    expect((await expose(...IP, '--no-tls')).stderr).toBe('');
  });

  it('changes nothing the second time: both runs are the same. Spec: Client, plat expose, rule 4', async () => {
    const { expose, calls } = await start();
    await expose(...IP);
    await expose(...IP);
    const made = await calls();
    expect(made.slice(2)).toEqual(made.slice(0, 2));
  });

  it('takes port, class, zone and namespace from the flags', async () => {
    const { expose, calls } = await start();
    const flags = ['--port', '8080', '--ingress-class', 'nginx'];
    const overrides = ['--services-zone', 'lab.example.org', '--platform-namespace', 'dns'];
    const run = await expose(...IP, ...flags, ...overrides, '--json');
    expect(run.json()).toMatchObject({
      servicePort: 8080,
      ingressClassName: 'nginx',
      servicesZone: 'lab.example.org',
      platformNamespace: 'dns',
    });
    expect(lines(await calls())[0]).toMatch(
      /^kubectl --context kind-ops --namespace dns exec deploy\/ops-dns .* lab\.example\.org \*\.acme-dev A 60 /,
    );
  });

  it('with --dry-run prints both commands word for word, hostname, wildcard and namespace, and does nothing', async () => {
    const { expose, calls } = await start();
    const run = await expose(...IP, '--dry-run');
    const [record, ingress, ...names] = run.stdout.trimEnd().split('\n');
    expect(record).toBe(RECORD.replace('*.acme-dev', "'*.acme-dev'"));
    expect(ingress).toMatch(new RegExp(`^${APPLY} # stdin: \\{"apiVersion":"networking`));
    expect(names).toEqual([
      'hostname: mcp.acme-dev.services.example.com',
      `wildcard: ${WILDCARD}`,
      'platform namespace: ops-main',
      'DNS path: direct, because no platform alias is configured',
    ]);
    const planned = (await expose(...IP, '--dry-run', '--json')).json();
    const dnsPathReason = 'no platform alias is configured';
    expect(planned).toEqual({ dryRun: true, plan: [record, ingress], ...RESULT, dnsPathReason });
    expect(await calls()).toEqual([]);
  });

  it('warns that there is no Service acme-mcp where the configuration switches it off. Spec: Client, Exposure plan, rule 1', async () => {
    const { expose } = await start({
      config: 'type: runtime\nkubernetesContext: kind-one\nmcpEnabled: false\n',
    });
    const run = await expose(...IP, '--no-tls');
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('there is no Service acme-mcp')]);
  });
});

describe('plat expose, by an alias', () => {
  it('finds the environment, lets the platform write the record, then applies the ingress. Rule H12', async () => {
    const { expose, calls, platform } = await startWithAlias();
    const run = await expose(...IP, '--json');
    expect(run.json()).toEqual({ ...RESULT, dnsPath: 'platform' });
    expect(platform.to(`PUT /v1/environments/${ENVIRONMENT_ID}/hostname`).map(({ body }) => body)).toEqual([
      { targetIp: '192.0.2.10' },
    ]);
    expect(lines(await calls())).toEqual([APPLY]);
  });

  it('takes the direct path with both overrides, and asks no platform', async () => {
    const { expose, platform } = await startWithAlias();
    const overrides = ['--services-zone', 'lab.example.org', '--platform-namespace', 'dns'];
    const before = platform.requests.length;
    expect((await expose(...IP, ...overrides, '--json')).json()).toMatchObject({ dnsPath: 'direct' });
    expect(platform.requests).toHaveLength(before);
  });

  it('with --dry-run prints the calls, and makes none', async () => {
    const { expose, calls, platform } = await startWithAlias();
    const before = platform.requests.length;
    const { plan } = (await expose(...IP, '--dry-run', '--json')).json<{ plan: string[] }>();
    expect(plan.slice(0, 2)).toEqual([
      `platform: GET ${platform.url}/v1/environments`,
      `platform: PUT ${platform.url}/v1/environments/<environment_id>/hostname`,
    ]);
    expect([await calls(), platform.requests.length]).toEqual([[], before]);
  });

  it('refuses an answer with another wildcard than the planned one, and names both', async () => {
    const { expose, calls, platform } = await startWithAlias();
    platform.answer(`PUT /v1/environments/${ENVIRONMENT_ID}/hostname`, {
      body: { hostname: '*.acme-dev.services.example.org', targetIp: '192.0.2.10' },
    });
    const run = await expose(...IP, '--json');
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'OTHER_WILDCARD',
      details: { written: '*.acme-dev.services.example.org', wildcardName: WILDCARD },
    });
    expect(await calls()).toEqual([]);
  });

  it('refuses an environment that the platform does not have', async () => {
    const { expose, calls, platform } = await startWithAlias();
    platform.answer('GET /v1/environments', {
      body: [{ environmentId: ENVIRONMENT_ID, name: 'dev', namespace: 'other-dev' }],
    });
    const run = await expose(...IP, '--json');
    expect(run.json()).toMatchObject({ code: 'NOT_REGISTERED', details: { namespace: 'acme-dev' } });
    expect(await calls()).toEqual([]);
  });

  it('refuses a record without a namespace, which is that of another tenant, whatever its name', async () => {
    const { expose, platform } = await startWithAlias();
    platform.answer('GET /v1/environments', { body: [{ environmentId: ENVIRONMENT_ID, name: 'dev' }] });
    const run = await expose(...IP, '--json');
    expect(run.json()).toMatchObject({ code: 'NOT_REGISTERED', details: { environments: [] } });
    expect(platform.to(`PUT /v1/environments/${ENVIRONMENT_ID}/hostname`)).toEqual([]);
  });

  it('reports what the platform refuses, before any ingress', async () => {
    const { expose, calls, platform } = await startWithAlias();
    platform.answer(`PUT /v1/environments/${ENVIRONMENT_ID}/hostname`, {
      status: 501,
      body: { code: 'NOT_IMPLEMENTED', message: 'This deployment writes no DNS records.' },
    });
    expect((await expose(...IP, '--json')).json()).toMatchObject({ code: 'NOT_IMPLEMENTED' });
    expect(await calls()).toEqual([]);
  });

  it('refuses several aliases of which none is named, with their names; --erun-alias names one', async () => {
    const { expose, machine, platform, write, calls } = await startWithAlias();
    const alias = (name: string) => ({
      ...{ name, kind: 'platform', apiUrl: platform.url, audience: platform.url },
      ...{ issuer: platform.url, clientId: 'plat-cli' },
    });
    const cloudAliases = [alias('work'), alias('home'), { name: 'cloud', kind: 'cloud-a' }];
    await write(join(machine.configFolder, 'config.yaml'), JSON.stringify({ cloudAliases }));
    const refused = await expose(...IP, '--json');
    expect(refused.code).toBe(127);
    expect(refused.json()).toMatchObject({
      code: 'PLATFORM_ALIAS_AMBIGUOUS',
      details: { aliases: ['work', 'home'] },
    });
    expect(await calls()).toEqual([]);
    for (const flag of ['--erun-alias', '--alias']) {
      const run = await expose(...IP, flag, 'work', '--dry-run', '--json');
      expect(run.json()).toMatchObject({ dnsPath: 'platform' });
    }
    const unknown = await expose(...IP, '--erun-alias', 'nope', '--json');
    expect([unknown.code, unknown.json().code]).toEqual([127, 'UNKNOWN_ALIAS']);
  });

  it('takes the direct path with aliases of other kinds alone', async () => {
    const { expose, machine, write } = await start();
    const cloudAliases = [{ name: 'cloud', kind: 'cloud-a' }];
    await write(join(machine.configFolder, 'config.yaml'), JSON.stringify({ cloudAliases }));
    expect((await expose(...IP, '--json')).json()).toMatchObject({ dnsPath: 'direct' });
  });
});

describe('plat expose, the certificate', () => {
  it('applies secret, issuer and certificate, each by itself, before the ingress. Rule H13', async () => {
    const { expose, calls, dns01 } = await start();
    const run = await expose(...IP, ...(await dns01()), '--json');
    expect(run.json()).toMatchObject({
      scheme: 'https',
      tlsEnabled: true,
      tlsSecretName: 'acme-dev-wildcard-tls',
    });
    expect(run.json()).not.toHaveProperty('tlsDisabledReason');
    const made = await calls();
    expect(lines(made)).toEqual([RECORD, APPLY, APPLY, APPLY, APPLY]);
    expect(made.slice(1).map((call) => [object(call).kind, object(call).metadata.name])).toEqual([
      ['Secret', 'acme-dev-dns01-token'],
      ['Issuer', 'acme-dev-wildcard-issuer'],
      ['Certificate', 'acme-dev-wildcard'],
      ['Ingress', 'expose-mcp'],
    ]);
    expect(object(made[1]).data).toEqual({ token: Buffer.from(TOKEN).toString('base64') });
  });

  it('has the token in no argument, output, dry run, trace or error. Spec: Client, Authentication, rule 8', async () => {
    const { expose, calls, answer, dns01 } = await start();
    const flags = [...IP, ...(await dns01())];
    const runs = [
      await expose(...flags, '--debug'),
      await expose(...flags, '--debug', '--json'),
      await expose(...flags, '--debug', '--dry-run'),
    ];
    const encoded = Buffer.from(TOKEN).toString('base64');
    await answer({
      when: /apply/,
      code: 1,
      stderr: `The Secret is invalid: {"token":"${encoded}"} ${TOKEN}`,
    });
    const failed = await expose(...flags, '--debug', '--json');
    expect([...runs.map(({ code }) => code), failed.code]).toEqual([0, 0, 0, 1]);
    const shown = [...runs, failed].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    const seen = [...shown, ...(await calls()).flatMap(({ argv }) => argv)].join('\n');
    expect(seen).not.toContain(TOKEN);
    expect(seen).not.toContain(encoded);
    expect(failed.json()).toMatchObject({ message: expect.stringContaining('***') });
  });

  it('with --dry-run names the secret, and shows issuer and certificate', async () => {
    const { expose, calls, dns01 } = await start();
    const run = await expose(...IP, ...(await dns01()), '--dry-run', '--json');
    const { plan } = run.json<{ plan: string[] }>();
    expect(plan[1]).toBe(`${APPLY} # stdin: Secret acme-dev-dns01-token with token`);
    expect(plan.slice(2).map((line) => /"kind":"(\w+)"/.exec(line)?.[1])).toEqual([
      'Issuer',
      'Certificate',
      'Ingress',
    ]);
    expect(await calls()).toEqual([]);
  });

  it('is left out with --no-tls', async () => {
    const { expose, calls, dns01 } = await start();
    const run = await expose(...IP, ...(await dns01()), '--no-tls', '--json');
    expect(run.json()).toMatchObject({ scheme: 'http', tlsEnabled: false, tlsDisabledReason: '--no-tls' });
    expect(lines(await calls())).toEqual([RECORD, APPLY]);
  });

  it("of the platform's own environment comes from the edge", async () => {
    const { run, calls, dns01 } = await start();
    const made = await run(['expose', 'ops', 'main', 'web', ...IP, '--no-wait']);
    expect([made.stdout, made.stderr]).toEqual(['https://web.ops-main.services.example.com\n', '']);
    expect(await calls()).toHaveLength(2);
    const flags = [...(await dns01()), '--dry-run'];
    const planned = await run(['expose', 'ops', 'main', 'web', ...IP, ...flags]);
    expect(planned.stderr).toContain('the DNS-01 flags are not used');
    expect(planned.stdout).not.toContain('Issuer');
  });

  it('without cert-manager in the cluster is a failure that names it', async () => {
    const { expose, answer, dns01 } = await start();
    const stderr =
      'error: unable to recognize "STDIN": no matches for kind "Issuer" in version "cert-manager.io/v1"';
    await answer({ when: /apply/, code: 1, stderr });
    expect((await expose(...IP, ...(await dns01()), '--json')).json()).toMatchObject({
      code: 'CERT_MANAGER_MISSING',
      message: expect.stringContaining(`The record ${WILDCARD} is written`),
    });
  });
});

describe('plat expose --skip-if-unconfigured', () => {
  it('succeeds as a no-op when the project declares no platform block', async () => {
    for (const project of [undefined, '', '{}\n']) {
      const { expose, calls } = await start({ project });
      const run = await expose('--skip-if-unconfigured', '--json');
      expect([run.code, run.json()]).toEqual([
        0,
        { skipped: true, reason: 'the project has no platform block' },
      ]);
      const text = await expose('--skip-if-unconfigured');
      expect([text.code, text.stdout]).toEqual([0, '']);
      expect(text.stderr).toContain('Nothing is exposed');
      expect(await calls()).toEqual([]);
    }
  });
});

describe('plat expose, after a step that failed,', () => {
  it('says that the record is there and that the same command mends it, and the next run does', async () => {
    const { expose, answer, calls } = await start();
    await answer({ when: /apply/, code: 1, stderr: 'Error from server (Forbidden): ingresses is forbidden' });
    const failed = await expose(...IP, '--json');
    expect(failed.code).toBe(1);
    expect(failed.json()).toMatchObject({
      code: 'CLUSTER_REFUSED',
      message: expect.stringContaining(
        `The record ${WILDCARD} is written and stays; the same command completes the exposure.`,
      ),
      details: { recordWritten: WILDCARD, next: expect.stringContaining('repeat the command') },
    });
    await answer();
    expect((await expose(...IP)).code).toBe(0);
    expect(lines(await calls())).toEqual([RECORD, APPLY, RECORD, APPLY]);
  });

  it('names plat deploy for a namespace that is missing', async () => {
    const { expose, answer } = await start();
    const stderr =
      'Error from server (NotFound): error when creating "STDIN": namespaces "acme-dev" not found';
    await answer({ when: /apply/, code: 1, stderr });
    expect((await expose(...IP, '--json')).json()).toMatchObject({
      code: 'NOT_DEPLOYED',
      details: { next: 'plat deploy acme dev; then repeat the command' },
    });
  });

  it('applies no ingress if the record was not written', async () => {
    const { expose, answer, calls } = await start();
    const stderr = "Error: Zone 'services.example.com' doesn't exist\ncommand terminated with exit code 1";
    await answer({ when: /pdnsutil/, code: 1, stderr });
    const run = await expose(...IP, '--json');
    expect(run.json()).toMatchObject({
      code: 'KUBECTL_FAILED',
      message: expect.stringContaining("doesn't exist"),
    });
    expect(lines(await calls())).toEqual([RECORD]);
  });
});

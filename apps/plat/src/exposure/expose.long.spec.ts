import { exposureStands, WILDCARD } from '../black-box/exposure-stand';
import { ended } from '../black-box/plat-process';

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

const lines = (calls: ReadonlyArray<{ argv: string[] }>) => calls.map(({ argv }) => argv.join(' '));

describe('plat expose, the direct path', () => {
  it.each([
    ['is missing', undefined],
    ['is broken', 'type: [\n'],
    ['names no context', 'type: runtime\n'],
  ])("uses the current context if the configuration of the platform's environment %s", async (_, text) => {
    const { expose, calls } = await start({ platformConfig: text });
    expect((await expose(...IP)).code).toBe(0);
    expect(lines(await calls())[0]).toMatch(/^kubectl --namespace ops-main exec /);
  });

  it('finds the project of PLAT_REPO_PATH outside of a checkout', async () => {
    const { run, folder, machine } = await start();
    const args = ['expose', 'acme', 'dev', 'mcp', ...IP, '--dry-run', '--json'];
    const made = await run(args, { cwd: machine.home, env: { PLAT_REPO_PATH: folder } });
    expect(made.json()).toMatchObject({ hostname: RESULT.hostname });
  });
});

describe('plat expose --skip-if-unconfigured', () => {
  it.each(['platform:\n', 'platform: {}\n', 'platform: { basedomain: example.com, colour: red }\n'])(
    'is no excuse for the malformed block %j',
    async (project) => {
      const { expose } = await start({ project });
      const run = await expose(...IP, '--skip-if-unconfigured', '--json');
      expect([run.code, run.json().code]).toEqual([1, 'CONFIG_INVALID']);
    },
  );
});

describe('plat expose, after a step that failed,', () => {
  it('writes the record again while PowerDNS writes another', async () => {
    const { expose, answer, calls } = await start();
    const stderr = 'Error while retrieving SQLite query results: database is locked (5)';
    const locked = { when: /pdnsutil/, code: 1, stderr, once: true };
    await answer(locked, locked);
    expect((await expose(...IP)).code).toBe(0);
    expect(lines(await calls())).toEqual([RECORD, RECORD, RECORD, APPLY]);
    await answer({ ...locked, once: false });
    const failed = await expose(...IP, '--json');
    expect(failed.json()).toMatchObject({
      code: 'KUBECTL_FAILED',
      message: expect.stringContaining('database is locked'),
    });
  });

  it('applies once more an object that another run has created at the same moment', async () => {
    const { expose, answer, calls } = await start();
    const stderr =
      'Error from server (AlreadyExists): error when creating "STDIN": ingresses.networking.k8s.io "expose-mcp" already exists';
    await answer({ when: /apply/, code: 1, stderr, once: true });
    expect((await expose(...IP)).code).toBe(0);
    expect(lines(await calls())).toEqual([RECORD, APPLY, APPLY]);
    await answer({ when: /apply/, code: 1, stderr });
    expect((await expose(...IP, '--json')).json()).toMatchObject({ code: 'KUBECTL_FAILED' });
  });

  it.each([
    ['the record', /pdnsutil/, undefined],
    ['the ingress', /apply/, '*.acme-dev.services.example.com'],
  ])('stopped at %s, is mended by the same command', async (_, when, recordWritten) => {
    const { machine, programs, folder, answer, calls, expose } = await start();
    await answer({ when, hangs: true });
    const child = await machine.start(['expose', 'acme', 'dev', 'mcp', ...IP, '--no-wait', '--json'], {
      cwd: folder,
      env: { PATH: programs.path },
    });
    const end = ended(child);
    while (!lines(await calls()).some((line) => when.test(line))) await new Promise(setImmediate);
    child.kill('SIGINT');
    const { code, details } = (await end).json<{ code: string; details: Record<string, unknown> }>();
    expect([code, details.next]).toEqual(['INTERRUPTED', 'repeat the command']);
    expect(details.recordWritten).toBe(recordWritten);
    await answer();
    expect((await expose(...IP)).code).toBe(0);
  });
});

it('the ready check is a warning at most, and comes before the URL', async () => {
  const { run } = await start({ project: 'platform: { basedomain: plat.invalid, env: ops-main }\n' });
  // The address is for documentation, so nothing answers there, and the name is of a domain that never exists.
  const made = await run(['expose', 'acme', 'dev', 'mcp', '--ip', '192.0.2.254', '--no-tls']);
  expect([made.code, made.stdout]).toEqual([0, 'http://mcp.acme-dev.services.plat.invalid\n']);
  expect(made.stderr).toMatch(/is exposed and not ready yet: it does not resolve \(\w+\); 192\.0\.2\.254:80/);
});

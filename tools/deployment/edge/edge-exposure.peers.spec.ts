/** @peers kubernetes kubectl cert-manager traefik-chart opentofu terraform-provider-kubectl helm-3 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { type KubernetesPeer, peer, startKubernetes } from '@plat/testing';

const SOURCE = join(workspaceRoot(), 'deploy/edge/exposure');
const NAMESPACE = 'acme-prod';
const DEFINITIONS = [
  'cert-manager.io_certificates.yaml',
  'cert-manager.io_issuers.yaml',
  'traefik/crds/traefik.io_middlewares.yaml',
] as const;

let kubernetes: KubernetesPeer;
let folder: string;
let kubeconfig: string;

beforeAll(async () => {
  kubernetes = await startKubernetes();
  folder = await mkdtemp(join(tmpdir(), 'plat-edge-'));
  kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubernetes.kubeconfig('admin'), { mode: 0o600 });
  for (const name of DEFINITIONS) await kubectl('apply', '--server-side', '--filename', peer(name));
  await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
  for (const name of [NAMESPACE, 'traefik']) await kubectl('create', 'namespace', name);
  await cp(SOURCE, join(folder, 'exposure'), { recursive: true });
  await installProvider();
}, 120_000);
afterAll(async () => {
  await kubernetes.stop();
  await rm(folder, { recursive: true });
});

/** A mirror of the one provider, in place of the public registry. */
async function installProvider(): Promise<void> {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const place = `mirror/registry.opentofu.org/gavinbunney/kubectl/1.19.0/linux_${architecture}`;
  await mkdir(join(folder, place), { recursive: true });
  const program = join(folder, place, 'terraform-provider-kubectl_v1.19.0');
  await symlink(peer('terraform-provider-kubectl'), program);
  const mirror = `filesystem_mirror {\n    path = "${join(folder, 'mirror')}"\n  }`;
  await writeFile(join(folder, 'tofu.rc'), `provider_installation {\n  ${mirror}\n}\n`);
}

interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

function run(program: 'tofu' | 'kubectl' | 'helm3', args: readonly string[], input = ''): Promise<Answer> {
  return new Promise((resolve) => {
    const own = {
      TF_CLI_CONFIG_FILE: join(folder, 'tofu.rc'),
      TF_IN_AUTOMATION: '1',
      CHECKPOINT_DISABLE: '1',
    };
    const env = { HOME: folder, KUBECONFIG: kubeconfig, ...own };
    const child = execFile(peer(program), args, { env, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

const tofu = (...args: string[]) => run('tofu', ['-chdir=exposure', ...args]);
async function kubectl(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run('kubectl', args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}\n${stderr}`);
  return stdout;
}
const read = async (namespace: string, kind: string, name: string) =>
  JSON.parse(await kubectl('--namespace', namespace, 'get', kind, name, '--output', 'json')) as object;

const SETTINGS = {
  kubernetes_context: 'test-cluster',
  platform_environment: NAMESPACE,
  services_zone: 'services.example.com',
  acme_email: 'ops@example.com',
  dns_server: 'dns.example.com:53',
  dns_tsig_name: 'edge.',
};
const settings = (more: Record<string, string> = {}) => [
  `-var=kubeconfig=${kubeconfig}`,
  '-var=dns_tsig_secret={"name":"dns-tsig","key":"secret"}',
  ...Object.entries({ ...SETTINGS, ...more }).map(([name, value]) => `-var=${name}=${value}`),
];
const apply = (more?: Record<string, string>) =>
  tofu('apply', '-auto-approve', '-no-color', ...settings(more));

describe('deploy/edge/exposure', () => {
  it('is formatted, initialized and valid', async () => {
    expect(await tofu('fmt', '-check', '-recursive')).toMatchObject({ code: 0, stdout: '' });
    expect(await tofu('init', '-no-color')).toMatchObject({ code: 0 });
    expect(await tofu('validate', '-no-color')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('valid'),
    });
  });

  it('is one apply, and a second changes nothing', async () => {
    expect((await apply()).stdout).toContain('Apply complete! Resources: 3 added, 0 changed, 0 destroyed.');
    expect((await apply()).stdout).toContain('Apply complete! Resources: 0 added, 0 changed, 0 destroyed.');
  });

  it("The platform's own environment issues its certificate: a namespaced DNS-01 issuer (not cluster-scoped)", async () => {
    expect(await read(NAMESPACE, 'issuer', 'acme-prod-wildcard-issuer')).toMatchObject({
      kind: 'Issuer',
      spec: {
        acme: {
          email: 'ops@example.com',
          server: 'https://acme-v02.api.letsencrypt.org/directory',
          solvers: [
            {
              selector: { dnsZones: ['acme-prod.services.example.com'] },
              dns01: {
                rfc2136: {
                  nameserver: 'dns.example.com:53',
                  tsigKeyName: 'edge.',
                  tsigAlgorithm: 'HMACSHA256',
                  tsigSecretSecretRef: { name: 'dns-tsig', key: 'secret' },
                },
              },
            },
          ],
        },
      },
    });
  });

  it('and a per-env wildcard certificate, into the secret that ingresses name', async () => {
    expect(await read(NAMESPACE, 'certificate', 'acme-prod-wildcard')).toMatchObject({
      spec: {
        secretName: 'acme-prod-wildcard-tls',
        dnsNames: ['*.acme-prod.services.example.com'],
        issuerRef: { name: 'acme-prod-wildcard-issuer', kind: 'Issuer' },
      },
    });
  });

  it('Strict-Transport-Security: max-age 86400, without includeSubDomains and preload', async () => {
    expect(await read('traefik', 'middleware', 'edge-hsts')).toMatchObject({
      spec: { headers: { stsSeconds: 86_400, stsIncludeSubdomains: false, stsPreload: false } },
    });
  });

  it('Strict-Transport-Security as the settings say', async () => {
    const more = { hsts_max_age_seconds: '31536000', hsts_include_subdomains: 'true', hsts_preload: 'true' };
    expect((await apply(more)).stdout).toContain('Resources: 0 added, 1 changed, 0 destroyed.');
    expect(await read('traefik', 'middleware', 'edge-hsts')).toMatchObject({
      spec: { headers: { stsSeconds: 31_536_000, stsIncludeSubdomains: true, stsPreload: true } },
    });
  });

  it('what it makes is valid by the definitions, strictly', async () => {
    for (const [namespace, kind, name] of [
      [NAMESPACE, 'issuer', 'acme-prod-wildcard-issuer'],
      [NAMESPACE, 'certificate', 'acme-prod-wildcard'],
      ['traefik', 'middleware', 'edge-hsts'],
    ] as const) {
      const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
      const object = (await read(namespace, kind, name)) as {
        metadata: { annotations: Record<string, string> };
      };
      const sent = object.metadata.annotations[annotation] ?? '';
      expect(sent).not.toBe('');
      const strict = ['apply', '--dry-run=server', '--validate=strict', '--filename', '-'];
      expect(await run('kubectl', strict, sent)).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it("A permanent 301 from plaintext to secure, and the header on all that is secure: by traefik's own chart", async () => {
    const values = join(folder, 'traefik-values.yaml');
    await writeFile(values, (await tofu('output', '-raw', 'traefik_values')).stdout);
    const chart = dirname(peer('traefik/Chart.yaml'));
    const place = ['--namespace', 'traefik', '--kube-version', '1.33.0'];
    const rendered = await run('helm3', ['template', 'traefik', chart, ...place, '--values', values]);
    expect(rendered).toMatchObject({ code: 0, stderr: '' });
    const flags = [...rendered.stdout.matchAll(/- "?--entryPoints\.(.+?)"?$/gim)].map(([, flag]) => flag);
    expect(flags).toEqual(
      expect.arrayContaining([
        'web.http.redirections.entryPoint.to=:443',
        'web.http.redirections.entryPoint.scheme=https',
        'web.http.redirections.entryPoint.permanent=true',
        'websecure.http.middlewares=traefik-edge-hsts@kubernetescrd',
      ]),
    );
  });

  it('its state holds no secret, only the name of one', async () => {
    const state = await readFile(join(folder, 'exposure/terraform.tfstate'), 'utf8');
    expect(state).toContain('dns-tsig');
    expect(state).not.toContain(/token":"([^"]+)"/.exec(await readFile(kubeconfig, 'utf8'))?.[1]);
  });

  it.each([
    ['a platform_environment without a hyphen', { platform_environment: 'acme' }, /<tenant>-<env>/],
    ['half a second', { hsts_max_age_seconds: '0.5' }, /whole number/],
    ['a negative max-age', { hsts_max_age_seconds: '-1' }, /whole number/],
    ['an algorithm that is broken', { dns_tsig_algorithm: 'HMACMD5' }, /HMACSHA256 or HMACSHA512/],
  ])('refuses %s', async (_, wrong, named) => {
    const refused = await tofu('plan', '-no-color', ...settings(wrong));
    expect(refused.code).toBe(1);
    expect(refused.stderr.replace(/\s*\n[│ ]*/g, ' ')).toMatch(named);
  });
});

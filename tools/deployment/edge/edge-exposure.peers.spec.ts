/**
 * @peers kubernetes kubectl cert-manager traefik-chart opentofu terraform-provider-kubectl helm-3
 * @paths deploy/edge tools/deployment libs/testing/src/kubernetes
 */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { peer } from '@plat/testing';
import { ShellCluster } from '../shell-cluster';
import { readGuide } from './guide';

const SOURCE = join(workspaceRoot(), 'deploy/edge/exposure');
/** The settings that the guide shows. */
const SETTINGS = readGuide().settings;
const NAMESPACE = 'acme-prod';
const DEFINITIONS = [
  'cert-manager.io_certificates.yaml',
  'cert-manager.io_issuers.yaml',
  'traefik/crds/traefik.io_middlewares.yaml',
] as const;

let cluster: ShellCluster;

beforeAll(async () => {
  cluster = await ShellCluster.start({
    definitions: DEFINITIONS.map((name) => peer(name)),
    namespaces: [NAMESPACE, 'traefik'],
    programs: { tofu: 'tofu', helm: 'helm3' },
  });
  await cp(SOURCE, join(cluster.folder, 'exposure'), { recursive: true });
  await writeFile(join(cluster.folder, 'exposure', 'acme.auto.tfvars'), SETTINGS);
  await installProvider();
}, 120_000);
afterAll(() => cluster.stop());

/** A mirror of the one provider, in place of the public registry. */
async function installProvider(): Promise<void> {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const mirror = join(cluster.folder, 'mirror');
  const place = join(
    mirror,
    'registry.opentofu.org/gavinbunney/kubectl/1.19.0',
    `${process.platform}_${architecture}`,
  );
  await mkdir(place, { recursive: true });
  await symlink(peer('terraform-provider-kubectl'), join(place, 'terraform-provider-kubectl_v1.19.0'));
  const text = `provider_installation {\n  filesystem_mirror {\n    path = "${mirror}"\n  }\n}\n`;
  await writeFile(join(cluster.folder, 'tofu.rc'), text);
}

function tofu(line: string) {
  const env = { TF_CLI_CONFIG_FILE: join(cluster.folder, 'tofu.rc'), TF_IN_AUTOMATION: '1' };
  return cluster.type(`tofu -chdir='${cluster.folder}/exposure' ${line}`, { env });
}

/** Where this cluster is, and what is set besides the guide's settings. */
const given = (more: Record<string, string>) =>
  Object.entries({ kubeconfig: cluster.kubeconfig, kubernetes_context: cluster.context, ...more })
    .map(([name, value]) => `-var='${name}=${value}'`)
    .join(' ');
const apply = (more: Record<string, string> = {}) => tofu(`apply -auto-approve -no-color ${given(more)}`);
const read = <T = object>(namespace: string, kind: string, name: string) =>
  cluster.read<T>(namespace, kind, name);

interface Annotated {
  metadata: { annotations: Record<string, string> };
}

describe('deploy/edge/exposure', () => {
  it('is formatted, initialized and valid', async () => {
    expect(await tofu('fmt -check main.tf variables.tf')).toMatchObject({ code: 0, stdout: '' });
    expect(await tofu('init -no-color')).toMatchObject({ code: 0 });
    expect(await tofu('validate -no-color')).toMatchObject({
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
      const object = await read<Annotated>(namespace, kind, name);
      const sent = object.metadata.annotations[annotation] ?? '';
      expect(sent).not.toBe('');
      const strict = 'kubectl apply --dry-run=server --validate=strict --filename -';
      expect(await cluster.type(strict, { input: sent })).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it("A permanent 301 from plaintext to secure, and the header on all that is secure: by traefik's own chart", async () => {
    const values = join(cluster.folder, 'traefik-values.yaml');
    await writeFile(values, (await tofu('output -raw traefik_values')).stdout);
    const chart = dirname(peer('traefik/Chart.yaml'));
    const place = `--namespace traefik --kube-version 1.33.0 --values '${values}'`;
    const rendered = await cluster.type(`helm template traefik '${chart}' ${place}`);
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
    const state = await readFile(join(cluster.folder, 'exposure/terraform.tfstate'), 'utf8');
    expect(state).toContain('dns-tsig');
    expect(state).not.toContain(/token":"([^"]+)"/.exec(await readFile(cluster.kubeconfig, 'utf8'))?.[1]);
  });

  it.each([
    ['a platform_environment without a hyphen', { platform_environment: 'acme' }, /<tenant>-<env>/],
    ['half a second', { hsts_max_age_seconds: '0.5' }, /whole number/],
    ['a negative max-age', { hsts_max_age_seconds: '-1' }, /whole number/],
    ['an algorithm that is broken', { dns_tsig_algorithm: 'HMACMD5' }, /HMACSHA256 or HMACSHA512/],
  ])('refuses %s', async (_, wrong, named) => {
    const refused = await tofu(`plan -no-color ${given(wrong)}`);
    expect(refused.code).toBe(1);
    expect(refused.stderr.replace(/\s*\n[│ ]*/g, ' ')).toMatch(named);
  });
});
